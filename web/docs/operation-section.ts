/** An operation: what it does, takes and answers, with code. */
import { CONSOLE_PATH, problemPath } from '../../src/http/paths.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem.ts';
import { type Html, html } from '../html.ts';
import { codeSamples } from './code-samples.ts';
import { fieldTable, parameterTable } from './field-table.ts';
import { fieldsOf } from './fields.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import type { Answer, MediaType, OpenApi, Operation } from './openapi.ts';
import { codeBlock, sampleTabs } from './sample-tabs.ts';

export const operationAnchor = ({ operationId }: Operation): string => operationId;

/** Where the console shows the operation. */
function consoleLink({ tags, method, path }: Operation): string {
  return `${CONSOLE_PATH}#tag/${tags?.[0] ?? 'default'}/${method}${path}`;
}

export function operationSection(operation: Operation, api: OpenApi): Html {
  const { method, path, summary, description, parameters, needsToken } = operation;
  const id = operationAnchor(operation);
  return html`<section class="operation" aria-labelledby="${id}">
<h3 id="${id}"><a href="#${id}">${summary}</a></h3>
<p class="route"><span class="method">${method}</span> <code>${path}</code> ${
    needsToken ? html`<span class="mark">token</span>` : html`<span class="mark">no token</span>`
  } <a class="try" href="${consoleLink(operation)}">Try it<span class="unseen">: ${summary}</span></a></p>
${markdown(description ?? '')}
${sampleTabs(id, codeSamples(operation))}
${parameters.length === 0 ? '' : html`<h4>Parameters</h4>\n${parameterTable(parameters, api)}`}
<h4>Answers</h4>
${answers(operation, api)}
</section>
`;
}

function answers({ responses }: Operation, api: OpenApi): Html {
  const rows = Object.entries(responses).map(
    ([status, answer]) => html`<tr>
<th scope="row">${status}</th>
<td>${meaning(answer)}</td>
<td class="type">${headerNames(answer)}</td>
</tr>
`,
  );
  return html`<table class="rows">
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Headers</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
${body(responses[200], api)}`;
}

/** What an answer means: its problems, where it is one, else its description. */
function meaning({ description, content }: Answer): Html {
  const codes = problemCodes(Object.values(content ?? {})[0]);
  if (codes.length === 0) return inlineMarkdown(description);
  const links = codes.map((code) => html`<a href="${problemPath(code)}"><code>${code}</code></a> `);
  return html`${links}`;
}

function problemCodes(media: MediaType | undefined): ProblemCode[] {
  const values = Object.values(media?.examples ?? {}).map(({ value }) => value);
  const codes = values.map((value) => (value as { code?: unknown } | null)?.code);
  return [...new Set(codes)].filter(
    (code): code is ProblemCode => typeof code === 'string' && Object.hasOwn(PROBLEMS, code),
  );
}

function headerNames({ headers }: Answer): Html {
  return html`${Object.keys(headers ?? {}).map((name) => html`<code>${name}</code> `)}`;
}

function body(answer: Answer | undefined, api: OpenApi): Html {
  const [type, media] = Object.entries(answer?.content ?? {})[0] ?? [];
  if (!type?.includes('json') || !media) return html``;
  const fields = media.schema ? fieldsOf(media.schema, api) : [];
  const table = fields.length === 0 ? '' : fieldTable(fields);
  return html`<h4>Body of a 200</h4>
${answersStore(media) ? html`<p>A store, with the <a href="#fields">fields of a store</a>.</p>` : table}
${examples(media)}`;
}

/** Whether the answer is a store itself, whose fields have a section of their own. */
function answersStore({ schema }: MediaType): boolean {
  return (schema?.anyOf ?? [schema ?? {}]).some(({ $ref }) => $ref?.endsWith('/Store'));
}

function examples({ example, examples: named }: MediaType): Html {
  const all = [
    ...(example === undefined ? [] : [{ summary: 'Example', description: '', value: example }]),
    ...Object.values(named ?? {}),
  ];
  return html`${all.map(
    ({ summary = 'Example', description = '', value }) => html`<details>
<summary>${summary}</summary>
${description === '' ? '' : markdown(description)}
${codeBlock(JSON.stringify(value, null, 2))}</details>
`,
  )}`;
}
