/**
 * What is stored about a token, as sealed JSON. The token itself is not.
 *
 * Scopes are `domain:action:route`, e.g. `stores:read:GET`. What a token carries may hold `*` at any level;
 * what an endpoint needs never does.
 *
 * Its record, under `token/<hash>`, is written when it is issued, and again only when it is revoked.
 * A rotation is a fact of its own, under `token/<hash>.rotation`: KV is read late, and who writes a
 * record again may undo what it has not seen yet. So a revocation outlasts every rotation.
 *
 * Give a new fact a key of its own, as a rotation has. Workers that are live refuse records with a field or a version
 * that they do not know: its holder would get a 401. Workers before it do not look at that key, and commands before it
 * take it for the record of another token: before the first one is written, deploy, and update every checkout.
 */
import * as z from 'zod';
import { timestampSchema } from '../model/timestamp.ts';
import { MAX_NOTE_LENGTH, MAX_PARTNER_LENGTH, MAX_UTM_LENGTH } from './token.ts';

/** The scope that lists, single stores and changes need, and that a new token has by default. */
export const READ_STORES = 'stores:read:GET';

/** The form of a scope. Its words are not checked: a stored record may have words no longer known. */
const scopeSchema = z.string().regex(/^(?:\*|[A-Za-z]+)(?::(?:\*|[A-Za-z]+)){2}$/);

export const TOKEN_RECORD_VERSION = 1;

export const ROTATION_VERSION = 1;

const utmValueSchema = z.string().min(1).max(MAX_UTM_LENGTH);

/** The UTM parameters that a token adds to every page URL its holder receives. */
export const UTM_PARAMETERS = ['utm_source', 'utm_medium', 'utm_campaign'] as const;

const utmSchema = z.strictObject({
  utm_source: utmValueSchema.optional(),
  utm_medium: utmValueSchema.optional(),
  utm_campaign: utmValueSchema.optional(),
});

export type Utm = z.infer<typeof utmSchema>;

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
  /** Public id of the token that it was issued in the place of. */
  replaces: z.string().optional(),
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

/** Returns whether one of `scopes` covers `needed`. */
export function grants(scopes: readonly string[], needed: string): boolean {
  return scopes.includes(needed) || scopes.some((scope) => covers(scope, needed));
}

function covers(scope: string, needed: string): boolean {
  const levels = scope.split(':');
  const neededLevels = needed.split(':');
  return (
    levels.length === neededLevels.length &&
    levels.every((level, index) => level === '*' || level === neededLevels[index])
  );
}
