/** The form of "Try it". It begins with the request of the samples. */
import { html } from 'hono/html';
import { HEALTH_PATH, LIST_PATH } from '../../src/http/paths.ts';
import type { Parameter } from '../openapi/document.ts';
import { sampleTarget } from './code-samples.ts';
import { groupsOf, type OperationObject, valuesOf } from './openapi.ts';

/** Parameters with a value that no service has, each with the request whose answer has a real one, and its name there. */
const INVENTED: Readonly<Record<string, readonly [source: string, name: string]>> = {
  id: [`${LIST_PATH}?limit=1&fields=slug`, 'slug'],
  since: [HEALTH_PATH, 'release'],
};

export function requestForm(operation: OperationObject): string {
  const { path, needsToken } = operation;
  const target = sampleTarget(operation);
  const query = new URLSearchParams(target.split('?')[1]);
  const first: unknown[] = [];
  const folded = [...groupsOf(operation)].map(([title, parameters]) => {
    const others: unknown[] = [];
    for (const parameter of parameters.filter(({ in: kind }) => kind !== 'header')) {
      const { name, required, example } = parameter;
      const value = query.get(name) ?? (required ? String(example) : '');
      (value === '' ? others : first).push(field(parameter, value));
    }
    return others.length > 0 && html`<details><summary>${title}</summary>${others}</details>`;
  });
  // A line of its own begins what Markdown leaves as it is, up to an empty line.
  return String(html`<try-it data-pagefind-ignore>
${needsToken && html`<token-control></token-control>`}<form data-path="${path}" data-sample="${target}"${needsToken && html` data-needs-token`} hidden>${first}${folded}<button class="main">Send request</button></form><div class="answer"></div><noscript>Sending requests from here needs scripts.</noscript></try-it>`);
}

/** Returns the values of which one can be sent. */
function choicesOf(schema: Parameter['schema']): readonly string[] {
  if (schema.type === 'boolean') return ['true', 'false'];
  return schema.type === 'array' ? [] : valuesOf(schema);
}

/** Returns the field of a parameter. An invented value is only its placeholder: the script asks for a real one. */
function field({ name, schema, example }: Parameter, value: string) {
  const invented = INVENTED[name];
  const choices = choicesOf(schema);
  const options = ['', ...choices].map(
    (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
  );
  const content = invented
    ? html`data-source="${invented[0]}" data-name="${invented[1]}"`
    : html`value="${value}"`;
  const input =
    choices.length > 0
      ? html`<select name="${name}">${options}</select>`
      : html`<input name="${name}" ${content} placeholder="${String(example)}" autocomplete="off">`;
  return html`<div><label><code>${name}</code>${invented && ' (empty: any that exists)'}${input}</label></div>`;
}
