/** Reads the problem documents of the service, and what others answer in their place. */
import type { ParameterFault } from './contract.ts';
import { ProblemError } from './errors.ts';

/** The problem that an answer tells which is neither a 200 nor a 304. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const text = await response.text();
  const body = readObject(text);
  const { status, headers } = response;
  const word = (value: unknown, other: string) => (typeof value === 'string' ? value : other);
  const type = typeof body.type === 'string' ? absolute(body.type, response.url) : null;
  return new ProblemError({
    status,
    code: word(body.code, 'unexplained'),
    title: word(body.title, response.statusText),
    detail: word(body.detail, 'The answer is no problem document of the service.'),
    type,
    errors: Array.isArray(body.errors) ? (body.errors as ParameterFault[]) : [],
    requestId: headers.get('x-request-id'),
    retryAfter: readRetryAfter(headers.get('retry-after')),
  });
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function absolute(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}

/** Milliseconds of `Retry-After`: seconds, or a date. */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
