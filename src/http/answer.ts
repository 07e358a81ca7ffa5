/**
 * Makes every response, with the security headers and, for HEAD, the length of the body.
 *
 * Callers may keep answers with store data: these have entity tags, and a condition compares them (RFC
 * 9110, sections 8.8.3 and 13.1.2). A tag is made before its body, of everything the body depends on:
 * the content (for a list all stores of a release, for a single store that store alone, for changes the
 * two releases that are compared), the query that says what is shown of it, and the attribution that is
 * added to page URLs.
 */
import type { ByName } from '../model/problem.ts';
import { hexadecimalHash } from '../snapshot/hash.ts';
import type { AppContext } from './trace.ts';

/**
 * Headers of every answer: data, errors and the files of pages. A browser that shows an answer as a
 * page loads and runs nothing, shows it in no frame, and sends no referrer. A web worker follows
 * the policy of its own file; the web worker of the map loads nothing either. `serve-pages.ts` allows pages
 * more.
 */
const SECURITY_HEADERS: ByName = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The same as `Headers`, which `new Response` copies faster than an object. */
const SECURED = new Headers(SECURITY_HEADERS);

const encoder = new TextEncoder();

/** Null for an answer without a body, such as a 304. */
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream | null;

/**
 * Makes a response, which has a copy of a body of bytes.
 * @param headers replace headers of the same name in `base`
 * @param base headers of many answers, the security headers among them
 */
export function answer(
  context: AppContext,
  status: number,
  body: Body,
  headers: ByName,
  base = SECURED,
): Response {
  const response = new Response(body, { status, headers: base });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  // The platform sets the length of other answers. Of this one Hono removes the body first.
  if (context.req.method === 'HEAD' && body !== null && !(body instanceof ReadableStream)) {
    const { length } = typeof body === 'string' ? encoder.encode(body) : body;
    response.headers.set('content-length', String(length));
  }
  return response;
}

/** Redirects to another page. */
export function redirect(context: AppContext, path: string): Response {
  return answer(context, 302, null, { location: path, 'cache-control': 'public, max-age=300' });
}

/**
 * Version of the rendering. Raise it when the same content and query give other bytes:
 * `test/render/frozen-answers.worker.test.ts` fails until then.
 */
export const RENDERING = 1;

const TAGS = /(?:W\/)?("[^"]*")/g;

/**
 * Returns the strong tag of an answer.
 * @param content names the stores that the answer is made of, in letters and digits: the id of the
 * release for a list, the fingerprint of its content for a single store (with `at` also a hash of the
 * changes of its zone), the ids of both releases, one after the other, for changes
 * @param query canonical text of the query
 * @param attribution equal for equal attributions, empty for none
 */
export function entityTag(content: string, query: string, attribution: string): string {
  const text = `${RENDERING} ${query} ${attribution}`;
  // 64 bits of two hashes are enough: two queries of one URL have different tags.
  return `"${content}-${hexadecimalHash(text)}${hexadecimalHash(`+${text}`)}"`;
}

/**
 * Headers of every answer with store data, beside the security headers.
 *
 * `no-cache` lets callers keep an answer, if they ask before each use whether it is still current.
 * Asking costs a 304 without rendering. So no answer outlives a release that is withdrawn, or a token that
 * is revoked, for longer than an isolate takes to hear of it. `private` keeps answers out of shared caches, which would hand
 * them out without a token.
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
