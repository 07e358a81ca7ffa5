/** `GET /docs`: how to use the service, generated from what the service itself uses. */
import { READ_STORES } from '../../src/auth/scope.ts';
import { EXAMPLE_STORE } from '../../src/http/openapi/example-store.ts';
import { inlineSchema } from '../../src/http/openapi/schemas.ts';
import { HEALTH_PATH, LIST_PATH, OPENAPI_PATH, problemPath } from '../../src/http/paths.ts';
import { GET_PARAMETERS } from '../../src/http/query/get-parameters.ts';
import { LIST_PARAMETERS } from '../../src/http/query/list-parameters.ts';
import type { Parameter } from '../../src/http/query/parameter.ts';
import type { ParameterSet } from '../../src/http/query/parameter-reader.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem.ts';
import { type Html, html, prose } from '../html.ts';
import { framePage, table } from '../page.ts';
import { nothingGenerated, type PageSource } from '../site.ts';
import { faultTable } from './problem-page.ts';
import { DOCS_STYLE } from './style.ts';

/** Parameters with more legal values than this do not list them; the OpenAPI document does. */
const PRINTED_VALUES = 16;

export const docsPage: PageSource = {
  sources: [DOCS_STYLE],
  generate: nothingGenerated,
  make: ({ url }) =>
    framePage({
      title: 'Rental store directory',
      styles: [url(DOCS_STYLE)],
      scripts: [],
      content: html`<main>${content()}</main>`,
    }),
};

function content(): Html {
  return html`<h1>Rental store directory</h1>
<p>Read-only access to the public profile and settings of rental stores, version 2.0.
For machines: <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>.</p>
${tokens()}
${listSection()}
${getSection()}
${caching()}
${errors()}
${service()}`;
}

function tokens(): Html {
  return html`<h2 id="tokens">Access tokens</h2>
<p>Send the token with every request, in the header <code>x-access-token</code>; <code>x-api-key</code>
is accepted too. If both are sent, both must hold the same token. Tokens come from the operator of the
service. Those that contain <code>sk_test_</code> work in staging, those that contain
<code>sk_live_</code> in production. Both operations need the scope <code>${READ_STORES}</code>.</p>
<pre>curl -H 'x-access-token: &lt;prefix&gt;sk_test_&lt;secret&gt;' '&lt;base URL&gt;${LIST_PATH}?limit=5&amp;lang=en'</pre>
<p>A compromised token is revoked and replaced by the operator. A token may carry UTM parameters, which
are appended to every <code>pageUrl</code> its holder receives.</p>`;
}

function listSection(): Html {
  return html`<h2 id="list">GET ${LIST_PATH}</h2>
<p>Lists stores: <code>{"total": …, "docs": […]}</code>, where <code>total</code> counts all matching
stores, whatever <code>skip</code> and <code>limit</code> are. All filters must hold.</p>
${parameterTable(LIST_PARAMETERS)}
<p>Arrays are written <code>a=X&amp;a=Y</code>, <code>a=X,Y</code> or <code>a[]=X&amp;a[]=Y</code>.
Unknown parameters and empty values are refused, as are several values where one is expected. Numbers
are written as JSON writes them (<code>48.85</code>, <code>-0.5</code>, <code>1e-7</code>), whole
numbers in digits alone.</p>`;
}

function getSection(): Html {
  return html`<h2 id="get">GET ${LIST_PATH}/{id}</h2>
<p>One store, by its id (in any case) or its slug (exactly).</p>
${parameterTable(GET_PARAMETERS)}
<h3>Example of a store</h3>
<pre>${JSON.stringify(EXAMPLE_STORE, null, 2)}</pre>`;
}

function caching(): Html {
  return html`<h2 id="caching">Caching and tracing</h2>
<p>Answers carry a strong <code>ETag</code>. Sent back in <code>If-None-Match</code>, it saves the body:
the answer is 304 while nothing has changed. <code>Last-Modified</code> is the time at which the stores
were published, <code>x-snapshot-release</code> names that publication.</p>
<p>Every answer carries <code>x-request-id</code>: your own, if you send one of up to 128 letters,
digits, dots, colons, dashes and underscores with no token in it. Quote it when you report a fault.</p>`;
}

function errors(): Html {
  const rows = (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => [
    html`${PROBLEMS[code].status}`,
    html`<a href="${problemPath(code)}"><code>${code}</code></a>`,
    prose(PROBLEMS[code].help),
  ]);
  return html`<h2 id="errors">Errors</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457) with a stable <code>code</code>. They are
found in this order: route, method, token, scope, rate, parameters, store. A 400 shows the faults of
the query at once: of one parameter the first 20, whose last <code>detail</code> tells the number of
the others. All unknown parameters together count as one. Names and values are quoted up to 60
characters, and no error is longer than 64 kB.</p>
${table(['Status', 'Code', 'Meaning'], rows)}
${faultTable()}`;
}

function service(): Html {
  return html`<h2 id="service">Open endpoints</h2>
<p><a href="${HEALTH_PATH}">${HEALTH_PATH}</a> tells which release answers, its age in seconds, the
number of stores and when publishing last ran to its end; it is 503 when nothing can be served. With
<code>?ran-within=10800</code> it is 503 too when publishing has not run within so many seconds.
Neither it nor this documentation needs a token.</p>`;
}

function parameterTable({ parameters }: ParameterSet): Html {
  const rows = parameters.map((parameter) => [
    html`<code>${parameter.name}</code>`,
    html`${valueText(parameter)}`,
    prose(parameter.description),
    html`<code>${parameter.name}=${parameter.example}</code>`,
  ]);
  return table(['Parameter', 'Value', 'Meaning', 'Example'], rows);
}

/** The legal values of a parameter in words, read off its schema. */
function valueText({ array, schema }: Parameter): string {
  const { type, minimum, maximum, default: standard, enum: words } = inlineSchema(schema);
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const range = most === undefined ? `, at least ${minimum}` : `, ${minimum} to ${most}`;
  const limits = minimum === undefined ? '' : range;
  const known =
    Array.isArray(words) && words.length <= PRINTED_VALUES ? `: ${words.join(', ')}` : '';
  const fallback = standard === undefined ? '' : `, default ${standard}`;
  return `${array ? 'array of ' : ''}${type}${limits}${known}${fallback}`;
}
