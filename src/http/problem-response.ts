/** The one place that turns errors into answers: `application/problem+json`, RFC 9457. */
import { type ParameterFault, PROBLEMS, type ProblemCode, ProblemError } from '../problem.ts';
import { jsonWithoutMarkup, redact } from '../shown-text.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { logFault } from './log-lines.ts';
import { problemPath } from './paths.ts';
import type { Reply } from './reply.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Most characters of `instance`. */
const LONGEST_INSTANCE = 1024;

/** The body of an answer of status 400 and above; `web/openapi/problem-schema.ts` describes it. */
interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ProblemCode;
  readonly errors?: readonly ParameterFault[];
}

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
    ...(errors.length > 0 && { errors }),
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
