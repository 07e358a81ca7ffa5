/** `GET /docs/problems/<code>`: what a kind of problem means. Its `type` leads here. */

import { DOCS_PATH } from '../../src/http/paths.ts';
import { PARAMETER_FAULTS } from '../../src/parameters/faults.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem.ts';
import { type Html, html, prose } from '../html.ts';
import { exampleProblem } from '../openapi/problem-responses.ts';
import { framePage, table } from '../page.ts';
import type { Site } from '../site.ts';
import { DOCS_SCRIPT, DOCS_STYLE } from './files.ts';
import { siteHeader } from './header.ts';
import { codeBlock } from './sample-tabs.ts';

export function problemPage(code: ProblemCode, site: Site): Html {
  const { title, status, help } = PROBLEMS[code];
  const example = JSON.stringify(exampleProblem(code), null, 2);
  return framePage({
    title: `${title}: rental store directory`,
    styles: [site.url(DOCS_STYLE)],
    scripts: [site.url(DOCS_SCRIPT)],
    content: html`${siteHeader(site)}
<main class="single" id="content">
<p><a href="${DOCS_PATH}#errors">All problems</a></p>
<h1>${title}</h1>
<p>Status ${status}, code <code>${code}</code>.</p>
<p>${prose(help)}</p>
${code === 'invalid_parameters' ? faultTable() : html``}
<h2>Example</h2>
${codeBlock(example)}
</main>`,
  });
}

/** The codes of single faults in `errors`, with what they mean. */
export function faultTable(): Html {
  const rows = Object.entries(PARAMETER_FAULTS).map(([code, meaning]) => [
    html`<code>${code}</code>`,
    prose(meaning),
  ]);
  return html`<p>Codes of the single faults in <code>errors</code>:</p>
${table(['Code', 'Meaning'], rows)}`;
}
