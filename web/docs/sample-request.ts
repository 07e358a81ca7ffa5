/** The request that an operation is shown with: the same in each language, and as the form of "Try it". */
import { html } from 'hono/html';
import { HEALTH_PATH, LIST_PATH } from '../../src/http/paths.ts';
import { EXAMPLE_STORE } from '../openapi/example-store.ts';
import { SINCE } from '../openapi/request-examples.ts';
import { type Invented, SAMPLES, type SampleRequest } from './browser/code-samples.ts';
import { groupsOf, type Operation, type Parameter } from './openapi.ts';
import { valuesOf } from './schema-words.ts';

const INVENTED: readonly Invented[] = [
  {
    text: EXAMPLE_STORE.slug,
    source: `${LIST_PATH}?limit=1&fields=slug`,
    name: 'slug',
    path: '.docs[0].slug',
  },
  { text: SINCE, source: HEALTH_PATH, name: 'release', path: '.release' },
];

/** Returns the request of an operation's first example, else its path alone. */
function sampleRequest({ path, needsToken, answers }: Operation): SampleRequest {
  const [example] = answers[0]?.examples ?? [];
  const target = example?.description?.match(/`GET ([^`\s]+)`/)?.[1] ?? path;
  return { target, needsToken, invented: inventedIn(target) };
}

/** Returns the invented part of a request or a value. */
function inventedIn(target: string): Invented | undefined {
  return INVENTED.find(({ text }) => target.includes(text));
}

/** Returns the same request in each language. */
export function codeSamples(operation: Operation) {
  const request = sampleRequest(operation);
  const languages = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[];
  return languages.map((language) => ({ language, source: SAMPLES[language](request) }));
}

/** Writes the form. It begins with the request of the samples, without its invented values. */
export function requestForm(operation: Operation): string {
  const { path, needsToken } = operation;
  const query = new URLSearchParams(sampleRequest(operation).target.split('?')[1]);
  const first: unknown[] = [];
  const folded = [...groupsOf(operation)].map(([title, parameters]) => {
    const others: unknown[] = [];
    for (const parameter of parameters.filter(({ in: kind }) => kind !== 'header')) {
      const { name, required, example } = parameter;
      const value = query.get(name) ?? (required ? String(example) : '');
      (value === '' ? others : first).push(field(parameter, value));
    }
    const summary = title === '' ? 'More parameters' : title;
    return others.length > 0 && html`<details><summary>${summary}</summary>${others}</details>`;
  });
  // A line of its own begins what Markdown leaves as it is, up to an empty line.
  return String(html`<try-it data-pagefind-ignore>
${needsToken && html`<token-control></token-control>`}<form data-path="${path}"${needsToken && html` data-needs-token`} hidden>${first}${folded}<button class="main">Send request</button></form><div class="answer"></div><noscript>Sending requests from here needs scripts.</noscript></try-it>`);
}

/** Returns the values of which one can be sent. */
function choicesOf(schema: Parameter['schema']): readonly string[] {
  if (schema.type === 'boolean') return ['true', 'false'];
  return schema.type === 'array' ? [] : valuesOf(schema);
}

/** Returns the field of a parameter. An invented value is left out: the script asks for a real one. */
function field({ name, schema, example }: Parameter, value: string) {
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
