/** `GET /docs/operations/<name>`: what an operation does, takes and answers, with code. */
import { FIELDS_PATH, problemPath } from '../../src/http/paths.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem.ts';
import { codeSamples } from './code-samples.ts';
import { fieldTable, valueList } from './field-tables.ts';
import { describeType, isStore, valuesOf } from './fields.ts';
import {
  blocks,
  codeBlock,
  type DocsPage,
  element,
  LANGUAGES,
  mark,
  type Panel,
  table,
  tabs,
  text,
} from './markdown.ts';
import type { Answer, Operation, Parameter } from './openapi.ts';
import { requestForm } from './request-form.ts';

export function operationPage(operation: Operation): DocsPage {
  const { id, title, path, parameters, answers } = operation;
  const token = mark(operation.needsToken ? 'token' : 'no token');
  const rows = answers.map((answer) => [
    answer.status,
    meaning(answer),
    answer.headers.map((name) => `\`${name}\``).join(' '),
  ]);
  const parts = [
    part(
      'about',
      `<p class="route"><span class="method">GET</span> <code>${path}</code>${token} <a href="#try-it">Try it</a></p>`,
      text(operation.description),
    ),
    part('samples', ...samples(operation)),
    part(
      'details',
      parameters.length === 0 ? '' : '## Parameters',
      ...parameterEntries(parameters),
      '## Answers',
      table(['Status', 'Meaning', 'Headers'], rows),
      ...answers.filter(({ status }) => status === '200').map((answer) => bodyOf(answer)),
    ),
  ];
  return { id: `operations/${id}`, title, body: part('operation', ...parts) };
}

const part = (name: string, ...inner: readonly string[]): string =>
  element('div', `class="${name}"`, ...inner);

function samples(operation: Operation): string[] {
  const requests = codeSamples(operation).map(({ language, source }) => ({
    label: LANGUAGES[language],
    body: codeBlock(source, language),
  }));
  return [
    '## Request',
    tabs(requests),
    '## Response',
    tabs(operation.answers.flatMap(answerPanel)),
    '## Try it',
    requestForm(operation),
  ];
}

/** The examples of one status: the first, and the others folded away. */
function answerPanel({ status, examples }: Answer): Panel[] {
  const bodies = examples.map(({ summary, description = '', value }, index) => {
    const block = codeBlock(JSON.stringify(value, null, 2), 'json');
    // The samples are the request of the first.
    if (index === 0) return status === '200' ? block : blocks(description, block);
    return element('details', '', `<summary>${summary}</summary>`, description, block);
  });
  return bodies.length === 0 ? [] : [{ label: status, body: blocks(...bodies) }];
}

/** Settings are many and alike: they are folded away at the end. */
function parameterEntries(parameters: readonly Parameter[]): string[] {
  const isSetting = (each: Parameter) => 'x-group' in each && each['x-group'] === 'settings';
  const entries = parameters.filter((each) => !isSetting(each)).map(parameterEntry);
  const settings = parameters.filter(isSetting).map(parameterEntry);
  if (settings.length === 0) return entries;
  const summary = `<summary>Settings of stores (${settings.length})</summary>`;
  return [...entries, element('details', '', summary, ...settings)];
}

function parameterEntry(parameter: Parameter): string {
  const { name, in: place, required, description = '', schema, example } = parameter;
  const marks = [place === 'query' ? '' : mark(place), required ? mark('required') : ''];
  const inUrl = place === 'query' ? `${name}=${example}` : example;
  return blocks(
    `### \`${name}\``,
    `<span class="type">${describeType(schema)}</span>${marks.join('')}`,
    text(description),
    valueList(valuesOf(schema)),
    example === undefined ? '' : `Example: \`${inUrl}\``,
  );
}

/** What an answer means: its problems, where it is one, else its description. */
function meaning({ description, examples }: Answer): string {
  const codes = examples.map(({ value }) => Object(value).code as ProblemCode);
  const problems = [...new Set(codes)].filter((code) => Object.hasOwn(PROBLEMS, code));
  if (problems.length === 0) return text(description);
  return problems.map((code) => `[\`${code}\`](${problemPath(code)})`).join(' ');
}

function bodyOf({ schema }: Answer): string {
  if (!schema) return '';
  // A store is described by its own page.
  const fields = (schema.anyOf ?? [schema]).some(isStore)
    ? `A store, with the [fields of a store](${FIELDS_PATH}).`
    : fieldTable(schema);
  return fields === '' ? '' : blocks('## Body of a 200', fields);
}
