/** Issues a token: makes the secret, stores what there is to know of it but the secret. */
import { type Environment, generateToken, hashToken, publicId } from '../../src/auth/token.ts';
import {
  TOKEN_RECORD_VERSION,
  type TokenRecord,
  tokenRecordSchema,
} from '../../src/auth/token-record.ts';
import type { TokenStore } from './token-store.ts';

/** What the operator decides about a new token. */
export type TokenOrder = Pick<TokenRecord, 'partner' | 'scopes' | 'expiresAt' | 'utm' | 'note'>;

export interface IssuedToken {
  readonly id: string;
  /** The token itself. It exists nowhere else: whoever prints it is the only one who can. */
  readonly token: string;
  readonly record: TokenRecord;
}

/** @param now milliseconds since 1970 */
export async function issueToken(
  store: TokenStore,
  environment: Environment,
  order: TokenOrder,
  now: number,
): Promise<IssuedToken> {
  const token = generateToken(environment);
  const hash = await hashToken(token);
  const record = tokenRecordSchema.parse({
    version: TOKEN_RECORD_VERSION,
    ...order,
    createdAt: new Date(now).toISOString(),
    revokedAt: null,
  });
  await store.write(hash, JSON.stringify(record));
  return { id: publicId(hash), token, record };
}
