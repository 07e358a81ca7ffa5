/**
 * What is put beside a token's keys, so that `token list` asks for 1,000 of them at once and reads
 * no value. KV holds little there: what does not fit is cut, and `token show` has it whole.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type Rotation,
  rotationSchema,
  type TokenRecord,
  tokenRecordSchema,
} from '../../src/auth/token-record.ts';

/** Bytes that KV holds beside a value, as JSON. */
const MOST_BYTES = 1024;

/** Characters of a text that is cut. */
const CUT_LENGTH = 60;
/** Scopes that are left where they are cut. */
const CUT_SCOPES = 4;

/** As people know a token: see `publicId`. */
const publicIdSchema = z.string().regex(/^[0-9a-f]{12}$/);

const tokenSummarySchema = tokenRecordSchema.omit({ version: true }).extend({
  scopes: z.array(z.string()),
  /** Public id of the token that this one was issued in the place of. */
  replaces: publicIdSchema.optional(),
  /** What is not whole here. */
  cut: z.array(z.enum(['note', 'utm', 'scopes', 'partner'])).optional(),
});

const rotationSummarySchema = rotationSchema.pick({ until: true });

type CuttableField = NonNullable<TokenSummary['cut']>[number];

export type TokenSummary = z.infer<typeof tokenSummarySchema>;
export type RotationSummary = z.infer<typeof rotationSummarySchema>;

/** How a summary is made smaller, step by step, until it fits: what is missed least goes first. */
const CUTS: readonly ((summary: TokenSummary) => TokenSummary)[] = [
  (summary) => cut(summary, 'note', { note: summary.note && cutText(summary.note) }),
  (summary) => cut(summary, 'utm', { utm: null }),
  (summary) => cut(summary, 'scopes', { scopes: summary.scopes.slice(0, CUT_SCOPES) }),
  (summary) => cut(summary, 'partner', { partner: cutText(summary.partner) }),
  // A record may hold scopes of any length.
  (summary) => cut(summary, 'scopes', { scopes: [] }),
];

/** What is put beside a record. @param replaces public id of the token that is replaced, if one is */
export function summarize(
  { version: _, ...record }: TokenRecord,
  replaces: string | null,
): TokenSummary {
  let summary: TokenSummary = { ...record, ...(replaces === null ? {} : { replaces }) };
  for (const shorten of CUTS) {
    if (Buffer.byteLength(JSON.stringify(summary)) <= MOST_BYTES) break;
    summary = shorten(summary);
  }
  return summary;
}

/** What is put beside a rotation. */
export function summarizeRotation({ until }: Rotation): RotationSummary {
  return { until };
}

/** What was put beside a record; null when nothing was, or nothing that can be read. */
export function readSummary(metadata: unknown): TokenSummary | null {
  return tokenSummarySchema.safeParse(metadata).data ?? null;
}

/** The same for a rotation. */
export function readRotationSummary(metadata: unknown): RotationSummary | null {
  return rotationSummarySchema.safeParse(metadata).data ?? null;
}

/** Names a field as cut, if what is put in its place is anything else. */
function cut(
  summary: TokenSummary,
  field: CuttableField,
  shorter: Partial<TokenSummary>,
): TokenSummary {
  if (isDeepStrictEqual(shorter[field], summary[field])) return summary;
  return { ...summary, ...shorter, cut: [...new Set([...(summary.cut ?? []), field])] };
}

/** The beginning of `text`, cut between characters. */
function cutText(text: string): string {
  const characters = [...text];
  return characters.length <= CUT_LENGTH ? text : `${characters.slice(0, CUT_LENGTH).join('')}…`;
}
