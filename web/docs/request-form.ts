/** "Try it" of an operation: a form, which its script sends. */
import { html } from 'hono/html';
import { inventedIn, requestOf } from './code-samples.ts';
import { valuesOf } from './fields.ts';
import type { Operation, Parameter } from './openapi.ts';

/** Begins with the request that the samples show, but for what is invented in it. */
export function requestForm(operation: Operation): string {
  const { path, needsToken, parameters } = operation;
  const query = new URLSearchParams(requestOf(operation).split('?')[1]);
  const [first, more] = [[] as unknown[], [] as unknown[]];
  for (const parameter of parameters.filter(({ in: place }) => place !== 'header')) {
    const { name, required, example = '' } = parameter;
    const value = query.get(name) ?? (required ? String(example) : '');
    (value === '' ? more : first).push(field(parameter, value));
  }
  const folded = html`<details><summary>More parameters (${more.length})</summary>${more}</details>`;
  // A line of its own begins what Markdown leaves as it is, up to an empty line.
  return String(html`<try-it data-path="${path}" data-pagefind-ignore>
${needsToken && html`<token-control></token-control>`}<form>${first}${more.length > 0 && folded}<button class="main">Send request</button></form><div class="answer"></div><noscript>Sending requests from here needs scripts.</noscript></try-it>`);
}

/** The values of which one can be sent. */
function choicesOf(schema: Parameter['schema']): readonly string[] {
  if (schema.type === 'boolean') return ['true', 'false'];
  return schema.type === 'array' ? [] : valuesOf(schema);
}

/** One whose example is invented may stay empty: the script asks for a real one. */
function field({ name, required, schema, example = '' }: Parameter, value: string) {
  const source = required ? inventedIn(value)?.source : undefined;
  const choices = choicesOf(schema);
  const needed = required && source === undefined && html` required`;
  const options = ['', ...choices].map(
    (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
  );
  const input =
    choices.length > 0
      ? html`<select name="${name}"${needed}>${options}</select>`
      : source === undefined
        ? html`<input name="${name}"${needed} value="${value}" placeholder="${String(example)}" autocomplete="off">`
        : html`<input name="${name}" placeholder="empty: any that exists" autocomplete="off" data-source="${source}">`;
  return html`<label><code>${name}</code>${input}</label>`;
}
