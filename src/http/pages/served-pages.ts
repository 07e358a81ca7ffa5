/**
 * The pages for people that `web/` builds, and what each may do in a browser.
 *
 * This is the one list of them: `web/pages.ts` makes each, and does not compile while one is missing.
 */
import { CONSOLE_PATH, DOCS_PATH, EXPLORE_PATH } from '../paths.ts';

/** What a page may do beyond the policy that all have. */
export interface PagePermissions {
  /** Values of directives of the content security policy, instead of those that all pages have. */
  readonly policy: Readonly<Record<string, string>>;
}

const NOTHING_MORE: PagePermissions = { policy: {} };

export const SERVED_PAGES = {
  [DOCS_PATH]: NOTHING_MORE,
  // The library writes its styles into the page, as elements and as attributes, without a nonce to be
  // had. Scripts stay in files all the same.
  [CONSOLE_PATH]: { policy: { 'style-src': "'self' 'unsafe-inline'" } },
  // The library draws in a worker, and makes pictures out of bytes.
  [EXPLORE_PATH]: { policy: { 'worker-src': "'self'", 'img-src': "'self' data: blob:" } },
} as const satisfies Record<string, PagePermissions>;

export type PagePath = keyof typeof SERVED_PAGES;
