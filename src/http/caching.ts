/**
 * Lets callers keep answers: entity tags, the condition that compares them (RFC 9110, sections
 * 8.8.3 and 13.1.2), and the headers beside them.
 *
 * A tag is made before its body, of everything the body depends on: the content (for a list all
 * stores of a release, for a single store that store alone, for changes the two releases that are
 * compared), the query that says what is shown of it, and the attribution that is added to page
 * URLs.
 */

import { hexadecimalHash } from '../hash.ts';
import type { ByName } from '../query/conditions/condition.ts';
import { answer, SECURITY_HEADERS } from './answer.ts';
import type { AppContext } from './trace.ts';

/**
 * Version of the rendering. Raise it when the same content and query give other bytes:
 * `test/render/frozen-answers.worker.test.ts` fails until then.
 */
export const RENDERING = 1;

const TAGS = /(?:W\/)?("[^"]*")/g;

/**
 * Returns the strong tag of an answer.
 * @param content names the stores that the answer is made of, in letters and digits: the id of the
 * release for a list, the fingerprint of its content for a single store, the ids of both releases,
 * one after the other, for changes
 * @param query canonical text of the query
 * @param attribution equal for equal attributions, empty for none
 */
export function entityTag(content: string, query: string, attribution: string): string {
  const text = `${RENDERING} ${query} ${attribution}`;
  // 64 bits of two hashes are enough to tell the queries of one URL apart.
  return `"${content}-${hexadecimalHash(text)}${hexadecimalHash(`+${text}`)}"`;
}

/**
 * Headers of every answer with store data, beside those of all answers.
 *
 * `no-cache` lets callers keep an answer, if they ask before each use whether it is still current.
 * Asking costs a 304 without rendering, and lets a withdrawn release or a revoked token take effect
 * at once. `private` keeps answers out of shared caches, which would hand them out without a token.
 */
const STORE_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  'cache-control': 'private, no-cache',
  vary: 'x-access-token, x-api-key',
});

/**
 * Answers with store data that the caller may keep.
 * @param body null: a 304
 * @param lastModified when the release was published, as headers write it
 */
export function answerData(
  context: AppContext,
  body: string | Uint8Array<ArrayBuffer> | null,
  lastModified: string,
  etag: string,
  more: ByName = {},
): Response {
  const headers: Record<string, string> = { ...more, 'last-modified': lastModified, etag };
  if (body !== null) headers['content-type'] = 'application/json';
  return answer(context, body === null ? 304 : 200, body, headers, STORE_HEADERS);
}

/**
 * Returns whether `If-None-Match` names the tag, so that the caller has the answer already.
 * `If-Modified-Since` is ignored: the date is the same for every attribution, and for two releases
 * published within one second.
 */
export function hasAnswer(headers: Headers, etag: string): boolean {
  const named = headers.get('if-none-match');
  if (named === null) return false;
  if (named === etag || named.trim() === '*') return true;
  // The comparison is the weak one: `W/` before a tag makes no difference.
  for (const [, opaque] of named.matchAll(TAGS)) {
    if (opaque === etag) return true;
  }
  return false;
}
