/** The pages by their paths: one line a page. `policy.ts` of the Worker says what each may do. */

import type { PagePath } from '../src/http/pages/policy.ts';
import { CONSOLE_PATH, DOCS_PATH, EXPLORE_PATH } from '../src/http/paths.ts';
import { consolePage } from './console/page.ts';
import { docsPage } from './docs/reference-page.ts';
import { explorePage } from './explore/page.ts';
import type { PageSource } from './site.ts';

export const PAGES: Readonly<Record<PagePath, PageSource>> = {
  [DOCS_PATH]: docsPage,
  [CONSOLE_PATH]: consolePage,
  [EXPLORE_PATH]: explorePage,
};
