/**
 * Scopes: `domain:action:route`, e.g. `stores:read:GET`. What a token carries may hold `*` at any
 * level; what an endpoint needs never does.
 */
import { z } from 'zod';

/** The words of a scope, level by level. The contract has more of them than this service needs. */
export const KNOWN_SCOPE_LEVELS = [
  { name: 'domain', values: ['stores', 'items'] },
  { name: 'action', values: ['read', 'write'] },
  { name: 'route', values: ['GET', 'POST'] },
] as const;

/** The scope that lists, single stores and changes need, and that a new token has by default. */
export const READ_STORES = 'stores:read:GET';

/** The form of a scope. Its words are not checked: a stored record may have words no longer known. */
export const scopeSchema = z.string().regex(/^(?:\*|[A-Za-z]+)(?::(?:\*|[A-Za-z]+)){2}$/);

/** Whether one of `scopes` covers `needed`. */
export function grants(scopes: readonly string[], needed: string): boolean {
  return scopes.includes(needed) || scopes.some((scope) => covers(scope, needed));
}

/** Why `scope` cannot be issued, as a text for people; null when it can. */
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
