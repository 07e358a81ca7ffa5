/** "Try it" of an operation: a form, which its script sends. */
import { html } from 'hono/html';
import { groupsOf, type Operation, type Parameter } from './openapi.ts';
import { inventedIn, sampleRequest } from './sample-request.ts';
import { valuesOf } from './schema-words.ts';

/** Writes the form. It begins with the request of the samples, without its invented values. */
export function requestForm(operation: Operation): string {
  const { path, needsToken } = operation;
  const query = new URLSearchParams(sampleRequest(operation).target.split('?')[1]);
  const first: unknown[] = [];
  const folded = [...groupsOf(operation)].map(([title, parameters]) => {
    const others: unknown[] = [];
    for (const parameter of parameters.filter(({ in: kind }) => kind !== 'header')) {
      const { name, required, example = '' } = parameter;
      const value = query.get(name) ?? (required ? String(example) : '');
      (value === '' ? others : first).push(field(parameter, value));
    }
    const summary = title === '' ? 'More parameters' : title;
    return others.length > 0 && html`<details><summary>${summary}</summary>${others}</details>`;
  });
  // A line of its own begins what Markdown leaves as it is, up to an empty line.
  return String(html`<try-it data-path="${path}" data-pagefind-ignore>
${needsToken && html`<token-control></token-control>`}<form>${first}${folded}<button class="main">Send request</button></form><div class="answer"></div><noscript>Sending requests from here needs scripts.</noscript></try-it>`);
}

/** Returns the values of which one can be sent. */
function choicesOf(schema: Parameter['schema']): readonly string[] {
  if (schema.type === 'boolean') return ['true', 'false'];
  return schema.type === 'array' ? [] : valuesOf(schema);
}

/** Returns the field of a parameter. An invented value is left out: the script asks for a real one. */
function field({ name, schema, example = '' }: Parameter, value: string) {
  const invented = inventedIn(value);
  const choices = choicesOf(schema);
  const options = ['', ...choices].map(
    (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
  );
  const content = invented
    ? html`placeholder="empty: any that exists" data-invented="${JSON.stringify(invented)}"`
    : html`value="${value}" placeholder="${String(example)}"`;
  const input =
    choices.length > 0
      ? html`<select name="${name}">${options}</select>`
      : html`<input name="${name}" ${content} autocomplete="off">`;
  return html`<div><label><code>${name}</code>${input}</label></div>`;
}
