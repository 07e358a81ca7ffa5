/** Makes a token, and says which scopes it may be given. Imports nothing of Node: tests run it in workerd. */
import { type Environment, markerFor } from '../../src/auth/token.ts';

/** Begins every token we issue, so that secret scanners and people recognise one they find. */
const OWN_PREFIX = 'rsd_';

/** 192 random bits. */
const SECRET_BYTES = 24;

/** The words of a scope, level by level. The contract has more of them than this service needs. */
const KNOWN_SCOPE = /^(stores|items|\*):(read|write|\*):(GET|POST|\*)$/;

/** A new token for `environment`, from the platform's secure random numbers. */
export function generateToken(environment: Environment): string {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toHex();
  return `${OWN_PREFIX}sk_${markerFor(environment)}_${secret}`;
}

/** Why `scope` cannot be issued, as a text for people; null when it can. */
export function scopeFault(scope: string): string | null {
  if (KNOWN_SCOPE.test(scope)) return null;
  return `got "${scope}", expected domain:action:route: stores, items or *; read, write or *; GET, POST or *`;
}
