/** Makes a token. Imports nothing of Node: tests run it in workerd. */

import { type Environment, markerFor } from '../../src/auth/token.ts';

/** Begins every token we issue, so that secret scanners and people recognise one they find. */
const OWN_PREFIX = 'rsd_';

/** 192 random bits. */
const SECRET_BYTES = 24;

/** Returns a new token for `environment`, from the platform's secure random numbers. */
export function generateToken(environment: Environment): string {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toHex();
  return `${OWN_PREFIX}sk_${markerFor(environment)}_${secret}`;
}
