/**
 * Access tokens: `<prefix>sk_test_<secret>` or `<prefix>sk_live_<secret>`. Their shape, which of
 * them an environment takes, and which one a request presents.
 *
 * Storage knows a token only by its SHA-256. People know it by its public id, the first digits of
 * that hash; neither the token nor the rest of the hash can be worked out from it.
 */
import { ProblemError } from '../model/problem.ts';
import { sha256 } from '../snapshot/hash.ts';

/** How many characters texts about a token have at most. Here as `--help` does not load zod. */
export const MAX_PARTNER_LENGTH = 200;
export const MAX_NOTE_LENGTH = 500;
export const MAX_UTM_LENGTH = 200;

/** Where the service runs; each environment has its own tokens and its own stores. */
export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

export type Environment = (typeof ENVIRONMENTS)[number];

type Marker = 'test' | 'live';

/** Prefix (up to 64), marker and secret (22 characters of base 62 hold 130 bits). */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{0,64}sk_(test|live)_[A-Za-z0-9]{22,128}$/;

/** How many digits of the hash make the public id. */
const ID_LENGTH = 12;

/** Beginning of the keys in KV of what is known of tokens. */
export const TOKEN_KEY_PREFIX = 'token/';

/** End of the keys of rotations: lists have it right behind the key of its token. */
export const ROTATION_KEY_SUFFIX = '.rotation';

/** Returns whether `text` names an environment. */
export function isEnvironment(text: string): text is Environment {
  return ENVIRONMENTS.some((environment) => environment === text);
}

/**
 * Returns the marker of `text`, or null when it is no token. A prefix may itself look like a marker, so
 * the last one counts.
 */
export function markerOf(text: string): Marker | null {
  return (TOKEN_PATTERN.exec(text)?.[1] as Marker | undefined) ?? null;
}

/** Returns the marker that tokens of `environment` carry. Development takes what staging takes. */
export function markerFor(environment: Environment): Marker {
  return environment === 'production' ? 'live' : 'test';
}

/**
 * Returns the text of the token headers, unchecked.
 * @throws ProblemError token_missing, tokens_differ
 */
export function presentedToken(headers: Headers): string {
  // The contract names both headers; an empty one counts as not sent.
  const first = headers.get('x-access-token') || null;
  const second = headers.get('x-api-key') || null;
  if (first !== null && second !== null && first !== second) {
    throw new ProblemError('tokens_differ', 'x-access-token and x-api-key hold different tokens.');
  }
  const token = first ?? second;
  if (token === null) {
    const other = headers.has('authorization') ? ', not in Authorization' : '';
    const detail = `No access token was sent. Send it in the header x-access-token${other}.`;
    throw new ProblemError('token_missing', detail);
  }
  return token;
}

/**
 * Refuses text that cannot be a token of `environment`, without a read of storage.
 * @throws ProblemError token_malformed, token_wrong_environment
 */
export function expectTokenOf(environment: Environment, token: string): void {
  const marker = markerOf(token);
  if (marker === null) {
    const detail =
      'This is no access token: a prefix, sk_test_ or sk_live_, then letters and digits, without quotes and without "Bearer".';
    throw new ProblemError('token_malformed', detail);
  }
  const expected = markerFor(environment);
  if (marker !== expected) {
    const detail = `This is ${environment}: it takes sk_${expected}_ tokens, not sk_${marker}_ ones.`;
    throw new ProblemError('token_wrong_environment', detail);
  }
}

/** Returns the SHA-256 of `token`, 64 hexadecimal digits: all that is ever stored of it. */
export async function hashToken(token: string): Promise<string> {
  return (await sha256(new TextEncoder().encode(token))).toHex();
}

/** Returns the key of a token's record in KV. */
export const tokenKey = (hash: string): string => TOKEN_KEY_PREFIX + hash;

/** Returns the key of the rotation beside that record. */
export const rotationKey = (hash: string): string => tokenKey(hash) + ROTATION_KEY_SUFFIX;

/** Returns the public id of a token, 12 hexadecimal digits. */
export const publicId = (hash: string): string => hash.slice(0, ID_LENGTH);

/** The keys of tokens in a text, encoded as in a URL or not. */
const TOKEN_KEYS = /token(\/|%(?:25)*2F)([0-9a-f]{12})[0-9a-f]{52}/gi;

/** Returns `text` with public ids instead of hashes, where it names keys of tokens. */
export function withoutHashes(text: string): string {
  return text.replace(TOKEN_KEYS, 'token$1$2…');
}
