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

/** The same as `Headers`: `new Response` copies these in a third of the time that an object takes. */
export const SECURED = new Headers(SECURITY_HEADERS);
