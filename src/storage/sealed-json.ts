/**
 * JSON documents that show whether they are as they were written. Objects are named by the hash of their
 * content; the small documents that name objects, and records of tokens, have a checksum inside:
 *
 *     {"format":…,"sum":"5c1f00d7"}
 *
 * It is taken over the text of the document without it. Any change of one character is noticed; of other
 * damage one case in four billion is not.
 */
import * as z from 'zod';
import { hexadecimalHash } from '../snapshot/hash.ts';

/** Why a document cannot be used. Its text holds no values of the document. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** Returns the text of a document with its sum. */
export function sealJson(document: object): string {
  return JSON.stringify({ ...document, sum: sumOf(document) });
}

/** Returns the document in `text`, without its sum. @throws SealError */
export function unsealJson(text: string): unknown {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || !('sum' in value)) {
    throw new SealError('it has no sum');
  }
  const { sum, ...document } = value;
  const expected = sumOf(document);
  if (sum !== expected) throw new SealError('its sum does not fit its content');
  return document;
}

/** Returns the document in `text`, checked by `schema`. @throws SealError */
export function readSealed<Document>(text: string, schema: z.ZodType<Document>): Document {
  const result = schema.safeParse(unsealJson(text));
  if (!result.success) throw new SealError(z.prettifyError(result.error));
  return result.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error of JSON.parse is not passed on because it quotes the text.
    throw new SealError(`got ${text.length} characters that are not JSON`);
  }
}

function sumOf(document: object): string {
  return hexadecimalHash(JSON.stringify(document));
}
