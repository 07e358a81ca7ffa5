/** Headers of answers about stores, and the condition by which a caller says that it has one. */
import { ifNoneMatchHits } from './entity-tag.ts';
import type { AppContext } from './trace.ts';

/**
 * Returns the headers by which a caller keeps an answer.
 *
 * `no-cache` lets callers keep an answer, if they ask before each use whether it is still current.
 * Asking costs a 304 without rendering, and lets a withdrawn release or a revoked token take effect
 * at once. `private` keeps answers out of shared caches, which would hand them out without a token.
 * @param lastModified when the release was published, as headers write it
 */
export function storeHeaders(lastModified: string, etag: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'private, no-cache',
    vary: 'x-access-token, x-api-key',
    'last-modified': lastModified,
    etag,
  };
}

/**
 * Returns whether the caller has the answer of this tag already. `If-Modified-Since` is ignored: the date
 * is the same for every attribution, and for two releases published within one second.
 */
export function hasAnswer(context: AppContext, etag: string): boolean {
  const condition = context.req.raw.headers.get('if-none-match');
  return condition !== null && ifNoneMatchHits(condition, etag);
}
