/**
 * Scopes: `domain:action:route`, e.g. `stores:read:GET`. What a token carries may hold `*` at any
 * level; what an endpoint needs never does.
 */
import { z } from 'zod';

/** What a scope may name: the vocabulary of the contract, of which this service needs one scope. */
export const KNOWN_SCOPE_LEVELS = [
  { name: 'domain', values: ['stores', 'items'] },
  { name: 'action', values: ['read', 'write'] },
  { name: 'route', values: ['GET', 'POST'] },
] as const;

/** Needed by both operations, and carried by a new token unless told otherwise. */
export const READ_STORES = 'stores:read:GET';

/** The form of a scope, whatever it names: records outlive vocabularies. */
export const scopeSchema = z.string().regex(/^(?:\*|[A-Za-z]+)(?::(?:\*|[A-Za-z]+)){2}$/);

/** Whether one of `scopes` covers `needed`. */
export function grants(scopes: readonly string[], needed: string): boolean {
  return scopes.includes(needed) || scopes.some((scope) => covers(scope, needed));
}

/** What keeps `scope` from being issued, in words, or null when nothing does. */
export function scopeFault(scope: string): string | null {
  const levels = scope.split(':');
  if (levels.length !== KNOWN_SCOPE_LEVELS.length) {
    return `"${scope}" has not the form domain:action:route`;
  }
  for (const [index, { name, values }] of KNOWN_SCOPE_LEVELS.entries()) {
    const level = levels[index] ?? '';
    if (level !== '*' && !values.some((value) => value === level)) {
      return `"${scope}" names an unknown ${name}, got "${level}", expected ${values.join(', ')} or *`;
    }
  }
  return null;
}

function covers(scope: string, needed: string): boolean {
  const levels = scope.split(':');
  const neededLevels = needed.split(':');
  return (
    levels.length === neededLevels.length &&
    levels.every((level, index) => level === '*' || level === neededLevels[index])
  );
}
