/** Headers of answers about stores, and the condition by which a caller says that it has one. */
import { matchesNoneOf } from './entity-tag.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

export type StoreHeaders = ReturnType<typeof storeHeaders>;

/**
 * Headers of a 200 and of the 304 that stands for it.
 *
 * `no-cache` lets callers keep an answer, if they ask before each use whether it is still current.
 * Asking costs a 304 without rendering, and lets a withdrawn release or a revoked token take effect
 * at once. `private` keeps answers out of shared caches, which would hand them out without a token.
 * @param lastModified when the release was published, as headers write it
 */
export function storeHeaders(lastModified: string, etag: string) {
  return {
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    vary: 'x-access-token, x-api-key',
    etag,
    'last-modified': lastModified,
  };
}

/**
 * Whether the caller has this answer already. `If-Modified-Since` is ignored: the date is the same
 * for every attribution, and for two releases published within one second.
 */
export function isCurrent(exchange: Exchange, etag: string): boolean {
  const condition = exchange.requestHeaders.get('if-none-match');
  return condition !== null && matchesNoneOf(condition, etag);
}

export function notModified({ 'content-type': _, ...headers }: StoreHeaders): Reply {
  return { status: 304, body: null, headers };
}
