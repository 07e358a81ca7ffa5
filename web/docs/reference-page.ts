/** `GET /docs`: the reference, made of the OpenAPI document. It can be read without a script. */

import {
  CONSOLE_PATH,
  DOCS_PATH,
  GUIDE_NAMES,
  GUIDES,
  guidePath,
  LIST_PATH,
  OPENAPI_PATH,
  problemPath,
} from '../../src/http/paths.ts';
import { PROBLEM_CODES, PROBLEMS } from '../../src/problem.ts';
import { type Html, html, prose } from '../html.ts';
import { framePage, table } from '../page.ts';
import { nothingGenerated, type PageSource, type Site } from '../site.ts';
import { fieldTable } from './field-table.ts';
import { fieldsOf } from './fields.ts';
import { DOCS_SCRIPT, DOCS_STYLE } from './files.ts';
import { siteHeader } from './header.ts';
import { markdown } from './markdown.ts';
import { OpenApi, type Operation } from './openapi.ts';
import { operationAnchor, operationSection } from './operation-section.ts';
import { faultTable } from './problem-page.ts';
import { codeBlock } from './sample-tabs.ts';

export const docsPage: PageSource = {
  sources: [DOCS_STYLE, DOCS_SCRIPT],
  generate: nothingGenerated,
  make: (site) =>
    framePage({
      title: new OpenApi(site).document.info.title,
      styles: [site.url(DOCS_STYLE)],
      scripts: [site.url(DOCS_SCRIPT)],
      content: content(site),
    }),
};

function content(site: Site): Html {
  const api = new OpenApi(site);
  const { title, description = '' } = api.document.info;
  return html`${siteHeader(site, DOCS_PATH)}
<div class="columns">
<nav class="side" aria-label="Contents">
${contents(api)}
</nav>
<main id="content">
<h1>${title}</h1>
${markdown(description)}
<h2 id="operations">Operations</h2>
${overview(api.operations)}
${firstRequest()}
${guides()}
${groups(api)}
${storeFields(api)}
${errors()}
</main>
</div>`;
}

function contents({ operations }: OpenApi): Html {
  const entries = operations.map(
    (operation) =>
      html`<li><a href="#${operationAnchor(operation)}">${operation.summary}</a></li>\n`,
  );
  return html`<ul>
<li><a href="#operations">Operations</a>
<ul>
${entries}</ul></li>
<li><a href="#first-request">First request</a></li>
<li><a href="#guides">Guides</a></li>
<li><a href="#fields">Fields of a store</a></li>
<li><a href="#errors">Errors</a></li>
</ul>`;
}

function overview(operations: readonly Operation[]): Html {
  const items = operations.map(
    (
      operation,
    ) => html`<li><a href="#${operationAnchor(operation)}"><span class="method">${operation.method}</span> <code>${operation.path}</code></a> <span>${operation.summary}</span></li>
`,
  );
  return html`<ul class="overview">
${items}</ul>`;
}

function firstRequest(): Html {
  return html`<section aria-labelledby="first-request">
<h2 id="first-request">First request</h2>
<p>The operator of the service gives you an address and an access token. Set both, and every sample on
this page runs as it stands:</p>
${codeBlock(
  `export BASE_URL=https://the-address-you-were-given
export TOKEN=the-token-you-were-given
curl -H "x-access-token: $TOKEN" "$BASE_URL${LIST_PATH}?limit=2&fields=id,slug,profile.name"`,
  'origin',
)}
<p>The samples in TypeScript hold no types: saved as <code>sample.mjs</code> they run on Node 20 and newer.
Those in Python need Python 3.9 or newer and no packages.</p>
<p>Or paste the token into the <a href="${CONSOLE_PATH}">console</a> and send requests from there. Machines
read <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>.</p>
</section>`;
}

function guides(): Html {
  const items = GUIDE_NAMES.map(
    (name) => html`<li><a href="${guidePath(name)}">${GUIDES[name]}</a></li>
`,
  );
  return html`<section aria-labelledby="guides">
<h2 id="guides">Guides</h2>
<ul>
${items}</ul>
</section>`;
}

/** The operations, under the tags by which the document groups them. */
function groups(api: OpenApi): Html {
  const names = new Set(api.operations.map(({ tags }) => tags?.[0] ?? ''));
  return html`${[...names].map((name) => {
    const tag = api.document.tags?.find((candidate) => candidate.name === name);
    const operations = api.operations.filter(({ tags }) => (tags?.[0] ?? '') === name);
    return html`<h2 id="tag-${name}">${capital(name)}</h2>
${markdown(tag?.description ?? '')}
${operations.map((operation) => operationSection(operation, api))}`;
  })}`;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function storeFields(api: OpenApi): Html {
  const fields = fieldsOf(api.schema('Store'), api);
  const old = fields.filter(({ deprecated }) => deprecated).length;
  return html`<section aria-labelledby="fields">
<h2 id="fields">Fields of a store</h2>
<p>All ${fields.length} of them, by the paths that the parameter <code>fields</code> takes. A path goes
through arrays: <code>geo.locations.slug</code> is the slug of each location. ${old} are deprecated, and
answered all the same.</p>
<form class="filter" role="search" hidden>
<label for="filter">Filter</label>
<input type="search" id="filter" autocomplete="off" spellcheck="false" placeholder="opening hours, lat, null … (press /)">
<label class="check"><input type="checkbox" id="current"> without deprecated ones</label>
<output for="filter current" id="found">${fields.length} fields</output>
</form>
${fieldTable(fields, { anchors: true })}
</section>`;
}

function errors(): Html {
  const rows = PROBLEM_CODES.map((code) => [
    html`${PROBLEMS[code].status}`,
    html`<a href="${problemPath(code)}"><code>${code}</code></a>`,
    prose(PROBLEMS[code].help),
  ]);
  return html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457) with a stable <code>code</code>. They are
found in this order: route, method, token, scope, rate, parameters, store. A 400 shows the faults of
the query at once: of one parameter the first 20, whose last <code>detail</code> tells the number of
the others. All unknown parameters together count as one. Names and values are quoted up to 60
characters, and no error is longer than 64 kB.</p>
${table(['Status', 'Code', 'Meaning'], rows)}
${faultTable()}
</section>`;
}
