/** Makes the responses of the service: each has the security headers, and HEAD has the length of its body. */
import type { AppContext } from './trace.ts';

/**
 * Headers of every answer: data, errors and the files of pages. Should a browser show an answer as a
 * page, it loads, runs and frames nothing of it, and does not tell where a link was followed from. A web
 * worker goes by the policy of its own file; that of the map loads nothing either. Pages need more, and
 * say so in `pages/policy.ts`.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The same as `Headers`, which `new Response` copies sooner than an object. */
const SECURED = new Headers(SECURITY_HEADERS);

const encoder = new TextEncoder();

/** Null for an answer without a body, such as a 304. */
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream | null;

/**
 * Makes a response. Bytes are given back at once: the response has a copy, and a megabyte an answer would
 * pile up until the next collection.
 * @param headers set over the security headers
 */
export function answer(
  context: AppContext,
  status: number,
  body: Body,
  headers: Readonly<Record<string, string>>,
): Response {
  const response = new Response(body, { status, headers: SECURED });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  // The platform sets the length of other answers. Hono removes the body of this one before that.
  if (context.req.method === 'HEAD' && body !== null && !(body instanceof ReadableStream)) {
    const { length } = typeof body === 'string' ? encoder.encode(body) : body;
    response.headers.set('content-length', String(length));
  }
  if (body instanceof Uint8Array) body.buffer.transfer(0);
  return response;
}

/** Leads on to another page, as `GET /` does people who only know the host. */
export function redirect(context: AppContext, path: string): Response {
  return answer(context, 302, null, { location: path, 'cache-control': 'public, max-age=300' });
}
