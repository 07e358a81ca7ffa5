/** What is stored about a token, as JSON under `token/<hash>`. The token itself is not. */
import { z } from 'zod';
import { timestampSchema } from '../model/timestamp.ts';
import { utmSchema } from '../model/utm.ts';
import { scopeSchema } from './scope.ts';

export const TOKEN_RECORD_VERSION = 1;

export const tokenRecordSchema = z.strictObject({
  version: z.literal(TOKEN_RECORD_VERSION),
  /** Who holds the token. */
  partner: z.string().min(1).max(200),
  scopes: z.array(scopeSchema).min(1),
  createdAt: timestampSchema,
  /** First instant at which the token is no longer accepted; null: it does not expire. */
  expiresAt: timestampSchema.nullable(),
  /** When the token was revoked. With any time here it is refused, even before that time. */
  revokedAt: timestampSchema.nullable(),
  /** Public id of the token that was issued in its place; it is accepted until it expires. */
  replacedBy: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  /** Attribution of every page URL that the holder receives. */
  utm: utmSchema.nullable(),
  /** For operators; no caller ever sees it. */
  note: z.string().min(1).max(500).optional(),
});

export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/** Why a stored record cannot be used. Its text holds nothing of the record's values. */
export class TokenRecordError extends Error {
  override readonly name = 'TokenRecordError';
}

/** Reads a stored record. @throws TokenRecordError when it is damaged or of another version */
export function parseTokenRecord(text: string): TokenRecord {
  const result = tokenRecordSchema.safeParse(parseJson(text));
  if (!result.success) throw new TokenRecordError(z.prettifyError(result.error));
  return result.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error of JSON.parse is not passed on because it quotes the text.
    throw new TokenRecordError(`got ${text.length} characters that are not JSON`);
  }
}
