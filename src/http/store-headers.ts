/** Headers of answers about stores, and the condition by which a caller says that it has one. */
import { ifNoneMatchHits } from './entity-tag.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import { SECURED } from './security-headers.ts';

/** Of the release that answered last: making them for each answer would cost 5 µs. */
let latest = new Headers();

/**
 * Headers that all answers of a release share, a 200 as a 304.
 *
 * `no-cache` lets callers keep an answer, if they ask before each use whether it is still current.
 * Asking costs a 304 without rendering, and lets a withdrawn release or a revoked token take effect
 * at once. `private` keeps answers out of shared caches, which would hand them out without a token.
 * @param lastModified when the release was published, as headers write it
 */
export function storeHeaders(lastModified: string): Headers {
  if (latest.get('last-modified') !== lastModified) {
    latest = new Headers(SECURED);
    latest.set('cache-control', 'private, no-cache');
    latest.set('vary', 'x-access-token, x-api-key');
    latest.set('last-modified', lastModified);
  }
  return latest;
}

/**
 * The answer to a caller who has it already; null for others. `If-Modified-Since` is ignored: the date is
 * the same for every attribution, and for two releases published within one second.
 * @param base what `storeHeaders` made
 * @param more headers of this answer alone
 */
export function unchangedReply(
  { requestHeaders }: Exchange,
  base: Headers,
  etag: string,
  more: Readonly<Record<string, string>> = {},
): Reply | null {
  const condition = requestHeaders.get('if-none-match');
  if (condition === null || !ifNoneMatchHits(condition, etag)) return null;
  return { status: 304, body: null, base, headers: { etag, ...more } };
}

/**
 * An answer with data.
 * @param base what `storeHeaders` made
 * @param more headers of this answer alone
 */
export function storeReply(
  body: string | Uint8Array<ArrayBuffer>,
  base: Headers,
  etag: string,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const headers = { 'content-type': 'application/json', etag, ...more };
  return { status: 200, body, base, headers };
}
