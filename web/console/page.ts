/**
 * `GET /docs/console`: search, requests with one's own token, code samples: Scalar's API reference over
 * the OpenAPI document.
 */
import { CONSOLE_PATH, DOCS_PATH } from '../../src/http/paths.ts';
import { siteHeader } from '../docs/header.ts';
import { html } from '../html.ts';
import { framePage } from '../page.ts';
import type { PageSource } from '../site.ts';
import { consoleDocument } from './document.ts';

const SCRIPT = 'web/console/browser/console.ts';
const STYLE = 'web/console/browser/console.css';
const DOCUMENT = 'console-document.json';

export const consolePage: PageSource = {
  sources: [SCRIPT, STYLE],
  generate: async (site) =>
    new Map([[DOCUMENT, new TextEncoder().encode(JSON.stringify(consoleDocument(site)))]]),
  make: (site) =>
    framePage({
      title: 'Console of the rental store directory',
      styles: [site.url(STYLE)],
      scripts: [site.url(SCRIPT)],
      content: html`${siteHeader(site, CONSOLE_PATH)}
<div id="content" tabindex="-1">
<div id="console" data-document="${site.url(DOCUMENT)}"><main><p>Loading the console. It needs scripts; the
<a href="${DOCS_PATH}">reference</a> has everything but sending requests without them.</p></main></div>
</div>`,
    }),
};
