/** Makes a token, and says which scopes it may be given. Imports nothing of Node: tests run it in workerd. */

import { type Environment, markerFor } from '../../src/auth/token.ts';
import { grants, READ_STORES } from '../../src/auth/token-record.ts';

/** Begins every token we issue, so that secret scanners and people recognise one they find. */
const OWN_PREFIX = 'rsd_';

/** 192 random bits. */
const SECRET_BYTES = 24;

/** Returns a new token for `environment`, from the platform's secure random numbers. */
export function generateToken(environment: Environment): string {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toHex();
  return `${OWN_PREFIX}sk_${markerFor(environment)}_${secret}`;
}

/** Returns why `scope` is not issued: no operation needs it. Null when it is issued. */
export function scopeFault(scope: string): string | null {
  if (grants([scope], READ_STORES)) return null;
  return `got "${scope}", expected ${READ_STORES}, which every operation needs, or * in the place of any of its words`;
}
