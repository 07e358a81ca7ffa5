/** The one place that turns errors into answers: `application/problem+json`, RFC 9457. */
import * as z from 'zod';
import { PROBLEM_CODES, PROBLEMS, ProblemError } from '../problem.ts';
import { jsonWithoutMarkup, redact } from '../shown-text.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { logFault } from './log-lines.ts';
import { problemPath } from './paths.ts';
import { FAULTS } from './query/list-parameters.ts';
import type { Reply } from './reply.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Most characters of `instance`. */
const LONGEST_INSTANCE = 1024;

/** Codes with the name that they have in the OpenAPI document. */
function named<Code extends string>(
  id: string,
  sentence: string,
  codes: readonly Code[],
  meaningOf: (code: Code) => string | undefined,
) {
  const list = codes.map((code) => `- \`${code}\`: ${meaningOf(code)}`).join('\n');
  const description = `${sentence} The codes are stable: programs go by them.\n\n${list}`;
  return z.enum(codes).meta({ id, description });
}

const parameterFaultSchema = z
  .strictObject({
    parameter: z.string().describe('Name of the query parameter, cut after 60 characters.'),
    code: named(
      'ParameterFaultCode',
      'Kind of fault of a parameter.',
      Object.keys(FAULTS),
      (code) => FAULTS[code],
    ),
    detail: z.string().describe('What is wrong with the parameter, for people.'),
  })
  .meta({ id: 'ParameterFault', description: 'One fault of one query parameter.' });

/** The body of an answer of status 400 and above. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta({ format: 'uri-reference' }).describe('Page about this kind of problem.'),
    title: z.string().describe('The kind of problem in a few words, for people.'),
    status: z.int().min(400).max(599).describe('Status of the answer.'),
    detail: z.string().describe('What is wrong with this request.'),
    instance: z
      .string()
      .meta({ format: 'uri-reference' })
      .describe('Path of the request, without its query, cut after 1,024 characters.'),
    code: named(
      'ProblemCode',
      'Kind of problem.',
      PROBLEM_CODES,
      (code) => `${PROBLEMS[code].status}, ${PROBLEMS[code].title}.`,
    ),
    errors: z
      .array(parameterFaultSchema)
      .optional()
      .describe(
        'The faults of the query, when the status is 400: at most 20 of each parameter. If there are more, the last `detail` tells how many. All unknown parameters count together.',
      ),
  })
  .meta({ id: 'Problem', description: 'Why a request was not answered (RFC 9457).' });

type ProblemBody = z.infer<typeof problemSchema>;

interface ProblemContext {
  readonly path: string;
  readonly requestId: string;
}

/** The answer to a request that ended in `error`. Faults of the service are logged. */
export function problemReply(error: unknown, { path, requestId }: ProblemContext): Reply {
  const problem = problemOf(error);
  const { code, status, headers } = problem;
  if (problem.isFault) logFault(code, problem, requestId);
  return {
    status,
    body: jsonWithoutMarkup(problemBody(problem, path)),
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store', ...headers },
    problem: code,
  };
}

export function problemBody(
  { code, status, message, errors }: ProblemError,
  path: string,
): ProblemBody {
  return {
    type: problemPath(code),
    title: PROBLEMS[code].title,
    status,
    detail: message,
    instance: instanceOf(path),
    code,
    ...(errors.length > 0 && { errors: [...errors] }),
  };
}

/** The path without secrets. A long one is cut, but never within an escape such as %2F. */
function instanceOf(path: string): string {
  const safe = redact(path);
  return safe.length > LONGEST_INSTANCE
    ? safe.slice(0, LONGEST_INSTANCE).replace(/%[0-9A-F]?$/i, '')
    : safe;
}

/** What the caller is told of `error`. The text of an unexpected one goes to the log alone. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const options = { cause: error };
  return error instanceof SnapshotFormatError
    ? new ProblemError('storage_unreachable', 'Part of the store data is damaged.', options)
    : new ProblemError('internal', 'The service failed to answer this request.', options);
}
