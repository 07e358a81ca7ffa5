/**
 * The pages for people that `web/` builds, and the headers by which a browser keeps each to itself and to
 * this origin, besides those of every answer.
 */
import { CONSOLE_PATH, DOCS_PATH, EXPLORE_PATH } from '../paths.ts';

/** No other origin, no inline script, no frame: what holds unless a page needs otherwise. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * The one list of pages, each with the directives of its policy that differ: `web/pages.ts` makes each,
 * and does not compile while one is missing. Pages of guides and problems have the common policy.
 */
export const SERVED_PAGES = {
  [DOCS_PATH]: {},
  // The library writes its styles into the page, as elements and as attributes, without a nonce to be
  // had. Scripts stay in files all the same.
  [CONSOLE_PATH]: { 'style-src': "'self' 'unsafe-inline'" },
  // The library draws in a worker, and makes pictures out of bytes.
  [EXPLORE_PATH]: { 'worker-src': "'self'", 'img-src': "'self' data: blob:" },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type PagePath = keyof typeof SERVED_PAGES;

const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Security headers of the page at `path`. */
export function pageHeaders(path: string): Readonly<Record<string, string>> {
  const directives = { ...POLICY, ...SERVED_PAGES[path as PagePath] };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  return { ...SHARED_HEADERS, 'content-security-policy': policy.join('; ') };
}
