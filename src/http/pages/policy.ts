/**
 * The pages for people that `web/` builds, and the headers by which a browser keeps each to itself and to
 * this origin, besides those of every answer.
 */
import { DOCS_PATH, EXPLORE_PATH } from '../paths.ts';

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

/** The directives that differ, by the first part of the path. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The search is WebAssembly in a worker. Colours of code are written at each word, and what a label
  // needs in one place at that place. Scripts stay in files all the same.
  [DOCS_PATH]: {
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
  },
  // The library draws in a worker, and makes pictures out of bytes.
  [EXPLORE_PATH]: { 'worker-src': "'self'", 'img-src': "'self' data: blob:" },
};

const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Security headers of the page at `path`. */
export function pageHeaders(path: string): Readonly<Record<string, string>> {
  const directives = { ...POLICY, ...DIFFERENCES[`/${path.split('/')[1]}`] };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  return { ...SHARED_HEADERS, 'content-security-policy': policy.join('; ') };
}
