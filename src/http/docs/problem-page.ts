/** `GET /docs/problems/<code>`: what a kind of problem means. Its `type` leads here. */
import { PROBLEMS, type ProblemCode } from '../../problem.ts';
import type { Reply } from '../exchange.ts';
import { exampleProblem } from '../openapi/problem-responses.ts';
import { DOCS_PATH } from '../paths.ts';
import { PARAMETER_FAULTS } from '../query/faults.ts';
import { type Html, html, prose } from './html.ts';
import { page, table } from './page.ts';

export function problemPage(code: ProblemCode): Reply {
  const { title, status, help } = PROBLEMS[code];
  const example = JSON.stringify(exampleProblem(code), null, 2);
  return page(
    title,
    html`<p><a href="${DOCS_PATH}">Documentation</a></p>
<h1>${title}</h1>
<p>Status ${status}, code <code>${code}</code>.</p>
<p>${prose(help)}</p>
${code === 'invalid_parameters' ? faultTable() : html``}
<h2>Example</h2>
<pre>${example}</pre>`,
  );
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
