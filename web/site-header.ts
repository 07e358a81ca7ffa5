/** What stands in the header of every page. */
import { html } from 'hono/html';
import { DOCS_PATH, EXPLORE_PATH, OPENAPI_PATH } from '../src/http/paths.ts';

const PAGES = [
  [DOCS_PATH, 'Documentation'],
  [EXPLORE_PATH, 'Find stores'],
  [OPENAPI_PATH, 'OpenAPI'],
] as const;

export const BRAND = html`<a class="brand" href="${DOCS_PATH}">Rental Store Directory</a>`;

/** Makes the links. @param current the page that the reader is at */
export function siteLinks(current: typeof DOCS_PATH | typeof EXPLORE_PATH) {
  const links = PAGES.map(([path, name]) => {
    const mark = path === current && html` aria-current="true"`;
    return html`<a href="${path}"${mark}>${name}</a>\n`;
  });
  return html`<nav class="site-links" aria-label="Pages">${links}</nav>`;
}
