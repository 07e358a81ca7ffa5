/** Error answers in the OpenAPI document: one per status, with an example of each problem. */
import { READ_STORES } from '../../auth/scope.ts';
import { PROBLEMS, type ProblemCode } from '../../problem.ts';
import { LIST_PATH, problemPath } from '../paths.ts';
import { PROBLEM_TYPE } from '../problem-response.ts';
import { headerRefs, type ResponseHeader } from './headers.ts';
import { componentRef, type Json } from './schemas.ts';

/** The header that answers of a status have, besides the id of the request. */
const STATUS_HEADERS: Readonly<Record<number, ResponseHeader>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

const EXAMPLE_ERRORS = [
  { parameter: 'limit', code: 'out_of_range', detail: 'Expected 0 to 100, got "500".' },
  {
    parameter: 'langs',
    code: 'unknown_parameter',
    detail: 'There is no such parameter. Did you mean "lang"?',
  },
];

/** `detail` of an example, where the help text of the problem would not do. */
const EXAMPLE_DETAILS: { readonly [code in ProblemCode]?: string } = {
  invalid_parameters: `${EXAMPLE_ERRORS.length} faults, see errors.`,
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
    headers: headerRefs('x-request-id', ...(header ? [header] : [])),
    content: {
      [PROBLEM_TYPE]: {
        schema: componentRef('Problem'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
      },
    },
  };
}

/** An example of a problem of this kind. */
export function exampleProblem(code: ProblemCode): Json {
  const { title, status, help } = PROBLEMS[code];
  return {
    type: problemPath(code),
    title,
    status,
    detail: EXAMPLE_DETAILS[code] ?? help,
    instance: LIST_PATH,
    code,
    ...(code === 'invalid_parameters' && { errors: EXAMPLE_ERRORS }),
  };
}
