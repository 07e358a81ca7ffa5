/** Makes a token, and says which scopes it may be given. Imports nothing of Node: tests run it in workerd. */
import { type Environment, markerFor } from '../../src/auth/token.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Begins every token we issue, so that secret scanners and people recognise one they find. */
const OWN_PREFIX = 'rsd_';

/** Characters of a new secret: 32 × log2(62) = 190 random bits. */
const SECRET_LENGTH = 32;

/** The words of a scope, level by level. The contract has more of them than this service needs. */
const KNOWN_SCOPE_LEVELS = [
  { name: 'domain', values: ['stores', 'items'] },
  { name: 'action', values: ['read', 'write'] },
  { name: 'route', values: ['GET', 'POST'] },
] as const;

/** A new token for `environment`, from the platform's secure random numbers. */
export function generateToken(environment: Environment): string {
  return `${OWN_PREFIX}sk_${markerFor(environment)}_${randomBase62(SECRET_LENGTH)}`;
}

/** Why `scope` cannot be issued, as a text for people; null when it can. */
export function scopeFault(scope: string): string | null {
  const levels = scope.split(':');
  if (levels.length !== KNOWN_SCOPE_LEVELS.length) {
    return `"${scope}" does not have the form domain:action:route`;
  }
  for (const [index, { name, values }] of KNOWN_SCOPE_LEVELS.entries()) {
    const level = levels[index] ?? '';
    if (level !== '*' && !values.some((value) => value === level)) {
      return `"${scope}" names an unknown ${name}, got "${level}", expected ${values.join(', ')} or *`;
    }
  }
  return null;
}

function randomBase62(length: number): string {
  // 248 is the largest multiple of 62 up to 256. Bytes from there on are dropped: taking their
  // remainder would make the first digits of base 62 more likely than the others.
  const unbiased = 4 * BASE62.length;
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length))) {
      if (byte < unbiased) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}
