/**
 * Security headers of the pages that `web/` builds, besides those of every answer. They keep a page
 * to itself and to this origin.
 */
import { DOCS_PATH, EXPLORE_PATH } from '../paths.ts';

/** What holds unless a page needs otherwise: no other origin, no inline script, no frame. */
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

/** The directives that differ, by the first part of the path. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The search runs WebAssembly in a web worker. Coloured code and some labels have inline styles.
  // Scripts are in files all the same.
  [DOCS_PATH]: {
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
  },
  // The map draws in a web worker, and makes pictures out of bytes.
  [EXPLORE_PATH]: { 'worker-src': "'self'", 'img-src': "'self' data: blob:" },
};

const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Returns the security headers of the page at `path`. */
export function pageHeaders(path: string): Readonly<Record<string, string>> {
  const directives = { ...POLICY, ...DIFFERENCES[`/${path.split('/')[1]}`] };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  return { ...SHARED_HEADERS, 'content-security-policy': policy.join('; ') };
}
