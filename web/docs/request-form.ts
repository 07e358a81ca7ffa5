/** "Try it" of an operation: a form, which its script sends. */
import { html } from 'hono/html';
import { valuesOf } from './fields.ts';
import { groupsOf, type Operation, type Parameter } from './openapi.ts';
import { inventedIn, sampleRequest } from './sample-request.ts';

/** Writes the form. It begins with the request of the samples, without its invented values. */
export function requestForm(operation: Operation): string {
  const { path, needsToken } = operation;
  const query = new URLSearchParams(sampleRequest(operation).target.split('?')[1]);
  const first: unknown[] = [];
  const folded = [...groupsOf(operation)].map(([title, parameters]) => {
    const others: unknown[] = [];
    for (const parameter of parameters.filter(({ in: location }) => location !== 'header')) {
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

/** Writes a field. A field with an invented example may stay empty: the script asks for a real value. */
function field({ name, required, schema, example = '' }: Parameter, value: string) {
  const invented = required ? inventedIn(value) : undefined;
  const choices = choicesOf(schema);
  const needed = required && !invented && html` required`;
  const options = ['', ...choices].map(
    (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
  );
  const input =
    choices.length > 0
      ? html`<select name="${name}"${needed}>${options}</select>`
      : invented
        ? html`<input name="${name}" placeholder="empty: any that exists" autocomplete="off" data-invented="${JSON.stringify(invented)}">`
        : html`<input name="${name}"${needed} value="${value}" placeholder="${String(example)}" autocomplete="off">`;
  return html`<div><label><code>${name}</code>${input}</label></div>`;
}
