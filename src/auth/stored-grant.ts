/** Reads what KV knows of a token: its record, and the rotation beside it, in one operation. */
import type { ReadContext } from '../load/read-context.ts';
import { readSealed, SealError } from '../sealed-json.ts';
import { readTwice, withDeadline } from '../storage/deadline.ts';
import { type Grant, grantOf } from './grant.ts';
import { hashToken, publicId, rotationKey, tokenKey } from './token.ts';
import { rotationSchema, tokenRecordSchema } from './token-record.ts';

/** Seconds that the edge may answer without asking KV; 30 is the least KV allows. */
const KV_CACHE_SECONDS = 30;

/** The part of a KV namespace that tokens are read through: many keys in one operation. */
export interface TokenReader {
  get(
    keys: string[],
    options: { type: 'text'; cacheTtl: number },
  ): Promise<ReadonlyMap<string, string | null>>;
}

const encoder = new TextEncoder();

/**
 * Returns the grant of `token` as KV has it; null when there is no record.
 * @throws SealError when the record is damaged, or the rotation; otherwise as KV does
 */
export async function readGrant(
  token: string,
  tokens: TokenReader,
  context: ReadContext,
): Promise<Grant | null> {
  const hash = await hashToken(token);
  return readTwice(() => readOnce(hash, tokens, context)).catch((cause) => {
    if (!(cause instanceof SealError)) throw cause;
    throw new SealError(`token ${publicId(hash)}: ${cause.message}`);
  });
}

/** @throws SealError, or as KV does */
async function readOnce(
  hash: string,
  tokens: TokenReader,
  { storage }: ReadContext,
): Promise<Grant | null> {
  const keys = [tokenKey(hash), rotationKey(hash)] as const;
  const options = { type: 'text', cacheTtl: KV_CACHE_SECONDS } as const;
  storage.reads++;
  storage.keys += keys.length;
  const read = tokens.get([...keys], options);
  const texts = await withDeadline(read, `the record of token ${publicId(hash)}`);
  for (const text of texts.values()) storage.bytes += text ? encoder.encode(text).length : 0;
  const record = texts.get(keys[0]) ?? null;
  const rotation = texts.get(keys[1]) ?? null;
  if (record === null) return null;
  const ended = rotation === null ? null : readSealed(rotation, rotationSchema);
  return grantOf(publicId(hash), readSealed(record, tokenRecordSchema), ended);
}
