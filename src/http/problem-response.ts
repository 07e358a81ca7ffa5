/** Turns errors into answers, here alone: `application/problem+json`, RFC 9457. */
import { ProblemError } from '../model/problem.ts';
import { SnapshotFormatError } from '../snapshot/column-file.ts';
import { answer } from './answer.ts';
import { DOCS_PATH } from './paths.ts';
import { jsonWithoutMarkup, PROBLEM_TYPE, problemBody } from './problem-body.ts';
import { serveNotFoundPage } from './serve-pages.ts';
import { type AppContext, logFault } from './trace.ts';

/**
 * Answers a request that ended in `error` with a problem, and logs faults of the service. A browser
 * that asked for a page of the documentation that does not exist gets a page that says so.
 */
export async function answerError(error: unknown, context: AppContext): Promise<Response> {
  const trace = context.get('trace');
  const problem = problemOf(error);
  const { code, status } = problem;
  trace.problem = code;
  if (problem.isFault) logFault(code, problem, trace.requestId);
  const headers = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store', ...problem.headers };
  const body = jsonWithoutMarkup(problemBody(problem, trace.path));
  if (code !== 'route_unknown' || !trace.path.startsWith(`${DOCS_PATH}/`)) {
    return answer(context, status, body, headers);
  }
  const varied = { ...headers, vary: 'Accept' };
  const page = await serveNotFoundPage(context, varied);
  return page ?? answer(context, status, body, varied);
}

/** Returns the problem that the caller sees. The text of an unexpected error is only logged. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const options = { cause: error };
  return error instanceof SnapshotFormatError
    ? new ProblemError('storage_unreachable', 'Part of the store data is damaged.', options)
    : new ProblemError('internal', 'The service failed to answer this request.', options);
}
