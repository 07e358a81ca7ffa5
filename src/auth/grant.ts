/**
 * What a token allows and to whom: read from KV and worked out once, so that a request is admitted or
 * refused by comparing a few values.
 */

import { ProblemError } from '../model/problem.ts';
import { type ReadContext, readTwice, withDeadline } from '../storage/reading.ts';
import { readSealed, SealError } from '../storage/sealed-json.ts';
import { hashToken, publicId, rotationKey, tokenKey } from './token.ts';
import {
  endOfLife,
  rotationSchema,
  tokenRecordSchema,
  UTM_PARAMETERS,
  type Utm,
} from './token-record.ts';

/** Seconds that the edge may answer without asking KV; 30 is the least KV allows. */
const KV_CACHE_SECONDS = 30;

/** The part of a KV namespace that tokens are read through: many keys in one operation. */
export interface TokenReader {
  get(
    keys: string[],
    options: { type: 'text'; cacheTtl: number },
  ): Promise<ReadonlyMap<string, string | null>>;
}

/** Whom a token stands for, as the rest of the service sees it. */
export interface Caller {
  /** Public id of the token: safe to log. */
  readonly tokenId: string;
  /** Attribution of page URLs; null when the token carries none. */
  readonly utm: Utm | null;
  /** Equal attributions have equal keys, different ones different keys. Part of the ETag. */
  readonly utmKey: string;
}

/** What a token allows and to whom, worked out from its record and its rotation. */
export interface Grant {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
  /** Milliseconds since 1970; Infinity where the token does not expire. */
  readonly expiresAt: number;
}

const encoder = new TextEncoder();

/**
 * Returns the grant of `token`, made of its record and of the rotation beside it if there was one; null
 * when KV has no record.
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

async function readOnce(
  hash: string,
  tokens: TokenReader,
  { storage }: ReadContext,
): Promise<Grant | null> {
  const tokenId = publicId(hash);
  const keys = [tokenKey(hash), rotationKey(hash)] as const;
  storage.reads++;
  storage.keys += keys.length;
  const read = tokens.get([...keys], { type: 'text', cacheTtl: KV_CACHE_SECONDS });
  const texts = await withDeadline(read, `the record of token ${tokenId}`);
  for (const text of texts.values()) storage.bytes += text ? encoder.encode(text).length : 0;
  const recordText = texts.get(keys[0]) ?? null;
  const rotationText = texts.get(keys[1]) ?? null;
  if (recordText === null) return null;
  const rotation = rotationText === null ? null : readSealed(rotationText, rotationSchema);
  const record = readSealed(recordText, tokenRecordSchema);
  const end = endOfLife(record.expiresAt, rotation);
  return {
    caller: { tokenId, ...attributionOf(record.utm) },
    scopes: record.scopes,
    revoked: record.revokedAt !== null,
    expiresAt: end === null ? Infinity : Date.parse(end),
  };
}

function attributionOf(utm: Utm | null): Pick<Caller, 'utm' | 'utmKey'> {
  const values = UTM_PARAMETERS.map((name) => utm?.[name] ?? null);
  if (values.every((value) => value === null)) return { utm: null, utmKey: '' };
  return { utm, utmKey: JSON.stringify(values) };
}

/** Refuses a grant that does not hold any more. @throws ProblemError token_revoked, token_expired */
export function expectValid({ revoked, expiresAt }: Grant): void {
  if (revoked) throw new ProblemError('token_revoked', 'This token has been revoked.');
  // Written so that an expiry that could not be parsed (NaN) counts as passed.
  if (!(Date.now() < expiresAt)) throw new ProblemError('token_expired', 'This token has expired.');
}
