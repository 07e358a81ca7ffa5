/** Turns errors into answers, here alone: `application/problem+json`, RFC 9457. */
import { ProblemError } from '../problem.ts';
import { jsonWithoutMarkup } from '../shown-text.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { answer } from './answer.ts';
import { logFault } from './log-lines.ts';
import { PROBLEM_TYPE, problemBody } from './problem-body.ts';
import type { AppContext } from './trace.ts';

/** Answers a request that ended in `error`, and logs faults of the service. */
export function problemResponse(
  context: AppContext,
  error: unknown,
  more: Readonly<Record<string, string>> = {},
): Response {
  const trace = context.get('trace');
  const problem = problemOf(error);
  const { code, status, headers } = problem;
  trace.problem = code;
  if (problem.isFault) logFault(code, problem, trace.requestId);
  const body = jsonWithoutMarkup(problemBody(problem, trace.path));
  const type = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' };
  return answer(context, status, body, { ...type, ...headers, ...more });
}

/** Returns the problem that the caller sees. The text of an unexpected error is only logged. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const options = { cause: error };
  return error instanceof SnapshotFormatError
    ? new ProblemError('storage_unreachable', 'Part of the store data is damaged.', options)
    : new ProblemError('internal', 'The service failed to answer this request.', options);
}
