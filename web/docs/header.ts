/** The top of every page of the documentation. */
import { CONSOLE_PATH, DOCS_PATH, EXPLORE_PATH, OPENAPI_PATH } from '../../src/http/paths.ts';
import { type Html, html } from '../html.ts';
import type { Site } from '../site.ts';
import { OpenApi } from './openapi.ts';

const LINKS = [
  [DOCS_PATH, 'Reference'],
  [CONSOLE_PATH, 'Console'],
  [EXPLORE_PATH, 'Map'],
  [OPENAPI_PATH, 'OpenAPI'],
] as const;

/** @param current path of the page, whose link says so */
export function siteHeader(site: Site, current?: string): Html {
  const { title, version } = new OpenApi(site).document.info;
  const links = LINKS.map(
    ([path, name]) =>
      html`<li><a href="${path}"${path === current ? html` aria-current="page"` : ''}>${name}</a></li>
`,
  );
  return html`<a class="skip" href="#content">Skip to content</a>
<header class="top">
<p class="brand"><a href="${DOCS_PATH}">${title}</a> <span class="version">${version}</span></p>
<nav aria-label="Pages"><ul>
${links}</ul></nav>
</header>`;
}
