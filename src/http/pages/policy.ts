/** The headers by which a browser keeps a page to itself and to this origin, besides those of every answer. */
import { type PagePath, SERVED_PAGES } from './served-pages.ts';

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

const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Security headers of a page; one that `SERVED_PAGES` does not list has the common policy. */
export function pageHeaders(path: string): Readonly<Record<string, string>> {
  const directives = { ...POLICY, ...(isServedPage(path) ? SERVED_PAGES[path].policy : {}) };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  return { ...SHARED_HEADERS, 'content-security-policy': policy.join('; ') };
}

function isServedPage(path: string): path is PagePath {
  return Object.hasOwn(SERVED_PAGES, path);
}
