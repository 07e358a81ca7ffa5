/** Makes every response, with the security headers and, for HEAD, the length of the body. */
import type { AppContext } from './trace.ts';

/**
 * Headers of every answer: data, errors and the files of pages. A browser that shows an answer as a
 * page loads and runs nothing, shows it in no frame, and sends no referrer. A web worker follows
 * the policy of its own file; that of the map loads nothing either. `pages/policy.ts` allows pages
 * more.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
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
 * Makes a response. Frees the memory of a body of bytes at once: the response has a copy, and a
 * megabyte an answer would pile up until the next garbage collection.
 * @param headers replace headers of the same name in `base`
 * @param base headers of many answers, the security headers among them
 */
export function answer(
  context: AppContext,
  status: number,
  body: Body,
  headers: Readonly<Record<string, string>>,
  base = SECURED,
): Response {
  const response = new Response(body, { status, headers: base });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  // The platform sets the length of other answers. Of this one Hono removes the body first.
  if (context.req.method === 'HEAD' && body !== null && !(body instanceof ReadableStream)) {
    const { length } = typeof body === 'string' ? encoder.encode(body) : body;
    response.headers.set('content-length', String(length));
  }
  if (body instanceof Uint8Array) body.buffer.transfer(0);
  return response;
}

/** Redirects to another page. */
export function redirect(context: AppContext, path: string): Response {
  return answer(context, 302, null, { location: path, 'cache-control': 'public, max-age=300' });
}
