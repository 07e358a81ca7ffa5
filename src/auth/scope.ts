/**
 * Scopes: `domain:action:route`, e.g. `stores:read:GET`. What a token carries may hold `*` at any
 * level; what an endpoint needs never does.
 */
import * as z from 'zod';

/** The scope that lists, single stores and changes need, and that a new token has by default. */
export const READ_STORES = 'stores:read:GET';

/** The form of a scope. Its words are not checked: a stored record may have words no longer known. */
export const scopeSchema = z.string().regex(/^(?:\*|[A-Za-z]+)(?::(?:\*|[A-Za-z]+)){2}$/);

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
