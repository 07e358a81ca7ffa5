/**
 * What is stored about a token, as sealed JSON. The token itself is not.
 *
 * Its record, under `token/<hash>`, is written when it is issued, and again only when it is revoked.
 * A rotation is a fact of its own, under `token/<hash>.rotation`: KV is read late, and who writes a
 * record again may undo what it has not seen yet. So a revocation outlasts every rotation.
 */
import * as z from 'zod';
import { timestampSchema } from '../model/timestamp.ts';
import { MAX_NOTE_LENGTH, MAX_PARTNER_LENGTH } from '../model/token-limits.ts';
import { utmSchema } from '../model/utm.ts';
import { scopeSchema } from './scope.ts';

export const TOKEN_RECORD_VERSION = 1;

export const ROTATION_VERSION = 1;

export const tokenRecordSchema = z.strictObject({
  version: z.literal(TOKEN_RECORD_VERSION),
  /** Who holds the token. */
  partner: z.string().min(1).max(MAX_PARTNER_LENGTH),
  scopes: z.array(scopeSchema).min(1),
  createdAt: timestampSchema,
  /** First instant at which the token is no longer accepted; null: it does not expire. */
  expiresAt: timestampSchema.nullable(),
  /** When the token was revoked. With any time here it is refused, even before that time. */
  revokedAt: timestampSchema.nullable(),
  /** Attribution of every page URL that the holder receives. */
  utm: utmSchema.nullable(),
  /** For operators; no caller ever sees it. */
  note: z.string().min(1).max(MAX_NOTE_LENGTH).optional(),
});

export type TokenRecord = z.infer<typeof tokenRecordSchema>;

export const rotationSchema = z.strictObject({
  version: z.literal(ROTATION_VERSION),
  rotatedAt: timestampSchema,
  /** First instant at which the replaced token is no longer accepted, whatever its record says. */
  until: timestampSchema,
});

export type Rotation = z.infer<typeof rotationSchema>;

/** Returns when a token stops being accepted: null for never. The sooner of the two ends counts. */
export function endOfLife(
  expiresAt: string | null,
  rotation: Pick<Rotation, 'until'> | null,
): string | null {
  if (!rotation) return expiresAt;
  if (expiresAt === null) return rotation.until;
  return Date.parse(rotation.until) < Date.parse(expiresAt) ? rotation.until : expiresAt;
}
