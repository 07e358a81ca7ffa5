/**
 * The shape of access tokens: `<prefix>sk_test_<secret>` or `<prefix>sk_live_<secret>`.
 *
 * Storage knows a token by its SHA-256 alone. People know it by its public id, the first digits
 * of that hash, from which neither the token nor the rest of the hash can be told.
 */
import { sha256 } from '../snapshot/hash.ts';
import type { Environment } from './environment.ts';

export type Marker = 'test' | 'live';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Marks our own tokens, for secret scanners and for whoever finds one in a log. */
const OWN_PREFIX = 'rsd_';

/** Characters of a new secret: 32 × log2(62) = 190 random bits. */
const SECRET_LENGTH = 32;

/** Prefix (up to 64), marker and secret (22 characters of base 62 hold 130 bits). */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{0,64}sk_(test|live)_[A-Za-z0-9]{22,128}$/;

/** First digits of the hash that make the public id. */
const ID_LENGTH = 12;

export const TOKEN_KEY_PREFIX = 'token/';

/** The marker of `text`, or null when it is no token. The last marker counts: prefixes are free. */
export function markerOf(text: string): Marker | null {
  const marker = TOKEN_PATTERN.exec(text)?.[1];
  return marker === 'test' || marker === 'live' ? marker : null;
}

/** The marker that tokens of `environment` carry. Development takes what staging takes. */
export function markerFor(environment: Environment): Marker {
  return environment === 'production' ? 'live' : 'test';
}

/** A new token for `environment`, from the platform's secure random numbers. */
export function generateToken(environment: Environment): string {
  return `${OWN_PREFIX}sk_${markerFor(environment)}_${randomBase62(SECRET_LENGTH)}`;
}

/** The SHA-256 of `token`, 64 hexadecimal digits: all that is ever stored of it. */
export function hashToken(token: string): Promise<string> {
  return sha256(new TextEncoder().encode(token));
}

/** The key of a token's record in KV. */
export const tokenKey = (hash: string): string => TOKEN_KEY_PREFIX + hash;

/** The public id of a token, 12 hexadecimal digits. */
export const publicId = (hash: string): string => hash.slice(0, ID_LENGTH);

function randomBase62(length: number): string {
  // 248 is the largest multiple of 62 in a byte: from there on, some digits would come up more often.
  const unbiased = 4 * BASE62.length;
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length))) {
      if (byte < unbiased) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}
