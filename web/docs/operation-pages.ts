/** `GET /docs/operations/<name>`: what an operation does, takes and answers, with code. */
import { DOCS_PATH, problemPath } from '../../src/http/paths.ts';
import type { ProblemCode } from '../../src/model/problem.ts';
import type { Parameter } from '../openapi/document.ts';
import type { ResponseObject } from '../openapi/responses.ts';
import { codeSamples } from './code-samples.ts';
import { fieldTree, valueList } from './field-tree.ts';
import {
  blocks,
  CODE_LANGUAGES,
  codeBlock,
  type DocsPage,
  element,
  fold,
  languageTabs,
  marks,
  type Panel,
  table,
  tabs,
} from './markdown.ts';
import { describeType, examplesOf, groupsOf, type OperationObject, valuesOf } from './openapi.ts';
import { requestForm } from './request-form.ts';

/** Groups of more parameters than these are folded away: settings are many and alike. */
const MAX_OPEN_PARAMETERS = 20;

export function operationPage(operation: OperationObject): DocsPage {
  const { operationId, summary, path, needsToken, responses, description } = operation;
  const token = marks(needsToken ? 'needs a token' : 'no token');
  const [intro = '', ...rules] = description.split('\n\n');
  const rows = Object.entries(responses).map(([status, answer]) => [status, meaning(answer)]);
  const body = blocks(
    `<p class="route"><span class="method">GET</span> <code>${path}</code>${token}</p>`,
    intro,
    // The search finds guides before samples.
    element('div', 'class="operation" data-pagefind-weight="0.1"', operationTabs(operation)),
    rules.length === 0 ? '' : '## Rules',
    rules.join('\n\n'),
    '## Parameters',
    ...[...groupsOf(operation)].map(([name, group]) => parameterGroup(name, group, operation)),
    '## Answers',
    table(['Status', 'Meaning'], rows),
    `[Headers of answers](${DOCS_PATH}/reference#headers-of-answers)`,
    '## Body of a 200',
    fieldTree(responses[200]?.content?.['application/json']?.schema ?? {}),
  );
  return { id: `operations/${operationId}`, title: summary, body };
}

/** Writes the tabs of an operation: request, answer and "Try it". */
function operationTabs(operation: OperationObject): string {
  const requests = codeSamples(operation).map(({ language, source }) => ({
    label: CODE_LANGUAGES[language],
    body: codeBlock(source, language),
  }));
  return tabs('shown', [
    { label: 'Request', body: languageTabs('language', requests) },
    {
      label: 'Answer',
      body: tabs('status', Object.entries(operation.responses).flatMap(answerPanel)),
    },
    { label: 'Try it', body: requestForm(operation) },
  ]);
}

/** Writes the examples of one status: the first, and the others folded away. */
function answerPanel([status, answer]: [string, ResponseObject]): Panel[] {
  const bodies = examplesOf(answer).map(({ summary, description = '', value }, index) => {
    const block = codeBlock(JSON.stringify(value, null, 2), 'json');
    // The samples are the request of the first.
    if (index === 0) return status === '200' ? block : blocks(description, block);
    return fold(summary, description, block);
  });
  return bodies.length === 0 ? [] : [{ label: status, body: blocks(...bodies) }];
}

function parameterGroup(
  name: string,
  group: readonly Parameter[],
  operation: OperationObject,
): string {
  const entries = group.map((each) => parameterEntry(each, operation.parameters));
  const isLong = group.length > MAX_OPEN_PARAMETERS;
  return blocks(
    `### ${name}`,
    ...(isLong ? [fold(`All ${group.length}, by the paths of fields`, ...entries)] : entries),
  );
}

function parameterEntry(parameter: Parameter, all: OperationObject['parameters']): string {
  const { name, in: kind, required, description = '', schema, example } = parameter;
  const isInQuery = kind === 'query';
  const inUrl = isInQuery ? encodeURI(`${name}=${example}`) : example;
  // How an array is written is among the rules.
  const [meaning = ''] = description.split(' An array: ');
  const type = `<span class="type">${describeType(schema)}</span>`;
  const labels = marks(!isInQuery && kind, required && 'required');
  return element(
    'div',
    'class="parameter"',
    element('div', '', `#### \`${name}\``, type + labels),
    element('div', '', meaning, valuesIn(parameter, all), `Example: \`${inUrl}\``),
  );
}

/** Writes the values of a parameter where they are listed: once on a page. */
function valuesIn(parameter: Parameter, all: OperationObject['parameters']): string {
  const values = valuesOf(parameter.schema);
  const first = all.find(({ schema }) => valuesOf(schema).join() === values.join());
  if (values.length === 0 || !first || first === parameter) return valueList(values);
  const fragment = first.name.replaceAll('.', '').toLowerCase();
  return `The values are those of [\`${first.name}\`](#${fragment}).`;
}

/** Writes what an answer means: the problems of an error, else its description. */
function meaning(answer: ResponseObject): string {
  // A store has no code.
  const codes = examplesOf(answer).map(({ value }): ProblemCode | undefined => Object(value).code);
  const links = [...new Set(codes)].map((code) => code && `[\`${code}\`](${problemPath(code)})`);
  return links.filter(Boolean).join(' ') || answer.description;
}
