/** Error answers in the OpenAPI document: one per status, with an example of each problem. */
import { READ_STORES } from '../../auth/scope.ts';
import { PROBLEMS, type ProblemCode } from '../../problem.ts';
import { LIST_PATH, problemPath } from '../paths.ts';
import { PROBLEM_TYPE } from '../problem-response.ts';
import { headerRefs, POLICY_OF_KNOWN_TOKEN, type ResponseHeader } from './headers.ts';
import { REFUSAL_EXAMPLES, type RefusalExample } from './request-examples.ts';
import { componentRef, type Json } from './schemas.ts';

/** The header that answers of a status have, besides the id of the request. */
const STATUS_HEADERS: Readonly<Record<number, ResponseHeader>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Statuses that are answered without a good token alone. */
const BEFORE_TOKEN = [401, 405];

/** `detail` of an example, where the help text of the problem would not do. */
const EXAMPLE_DETAILS: { readonly [code in ProblemCode]?: string } = {
  scope_missing: `The token lacks the scope ${READ_STORES}.`,
};

export const problemResponseRef = (status: number): Json => ({
  $ref: `#/components/responses/${componentName(status)}`,
});

/** A response for each status that a problem has. */
export function problemResponses(): Json {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      componentName(status),
      problemResponse(status, ofStatus),
    ]),
  );
}

const componentName = (status: number): string => `Problem${status}`;

function problemResponse(status: number, codes: readonly ProblemCode[]): Json {
  const header = STATUS_HEADERS[status];
  return {
    description: codes.map((code) => PROBLEMS[code].title).join('; '),
    headers: {
      ...headerRefs('x-request-id', ...(header ? [header] : [])),
      ...(BEFORE_TOKEN.includes(status) ? {} : POLICY_OF_KNOWN_TOKEN),
    },
    content: {
      [PROBLEM_TYPE]: {
        schema: componentRef('Problem'),
        examples: Object.assign({}, ...codes.map(examplesOf)),
      },
    },
  };
}

/** Examples of a kind of problem by name: of faulty queries there are several. */
function examplesOf(code: ProblemCode): Json {
  if (code !== 'invalid_parameters') {
    return { [code]: { summary: PROBLEMS[code].title, value: exampleProblem(code) } };
  }
  const refusals = REFUSAL_EXAMPLES.map((example) => {
    const { name, summary, request } = example;
    return [name, { summary, description: `\`GET ${request}\``, value: refusal(example) }] as const;
  });
  return Object.fromEntries(refusals);
}

/** An example of a problem of this kind. */
export function exampleProblem(code: ProblemCode): Json {
  const [faulty] = REFUSAL_EXAMPLES;
  if (code === 'invalid_parameters' && faulty) return refusal(faulty);
  return body(code, EXAMPLE_DETAILS[code] ?? PROBLEMS[code].help, LIST_PATH);
}

function refusal({ request, errors }: RefusalExample): Json {
  const [first, ...others] = errors;
  const detail =
    first && others.length === 0
      ? `"${first.parameter}": ${first.detail}`
      : `${errors.length} faults, see errors.`;
  const instance = request.slice(0, request.indexOf('?'));
  return { ...body('invalid_parameters', detail, instance), errors };
}

function body(code: ProblemCode, detail: string, instance: string): Json {
  const { title, status } = PROBLEMS[code];
  return { type: problemPath(code), title, status, detail, instance, code };
}
