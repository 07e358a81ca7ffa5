/** Makes the body of a problem (RFC 9457), for the Worker and for the OpenAPI document. */
import { redact } from '../auth/redact.ts';
import { PROBLEMS, type ProblemError } from '../model/problem.ts';
import { problemPath } from './paths.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Longest `instance`, in characters. */
const MAX_INSTANCE = 1024;

/** Returns the body that the schema `Problem` describes (`web/openapi/fragment.json`). */
export function problemBody({ code, status, message, errors }: ProblemError, path: string) {
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

/** Returns the path without secrets. A long one is cut, but never within an escape such as %2F. */
function instanceOf(path: string): string {
  const safe = redact(path);
  return safe.length > MAX_INSTANCE
    ? safe.slice(0, MAX_INSTANCE).replace(/%[0-9A-F]?$/i, '')
    : safe;
}

/** Writes `value` as JSON without `<`, `>` and `&`: no browser that guesses takes it for HTML. */
export function jsonWithoutMarkup(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
}
