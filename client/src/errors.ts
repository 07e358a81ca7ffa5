/** What goes wrong: the service says no, or it is not to be reached. Reads the problem documents of the service. */
import type { ParameterFault, ProblemCode } from './contract.ts';
import { readRetryAfter } from './retry-after.ts';

/**
 * A code of the service, of which there may be more in time; `unexplained` is an error whose answer
 * is no problem document, such as the answer of a proxy in between.
 */
export type ErrorCode = ProblemCode | 'unexplained' | (string & {});

/** What the service says of a refusal. */
export type Problem = Omit<ProblemError, keyof Error>;

/** The service refused a request. `code` is stable, the texts are for people. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  declare readonly status: number;
  declare readonly code: ErrorCode;
  declare readonly title: string;
  declare readonly detail: string;
  /** Page about this kind of problem. */
  declare readonly type: string | null;
  /** The faults of the parameters, with `invalid_parameters`. */
  declare readonly errors: readonly ParameterFault[];
  /** By which the operators find the request. */
  declare readonly requestId: string | null;
  /** Milliseconds that the service asks to wait. */
  declare readonly retryAfter: number | null;

  constructor(problem: Problem) {
    super(messageOf(problem));
    Object.assign(this, problem);
  }
}

/** No answer that can be read: no connection, too late, or not from this service. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Reads the problem of an answer that is neither a 200 nor a 304, or what a proxy answered instead. */
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
    retryAfter: readRetryAfter(headers.get('retry-after'), Date.now()),
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

function messageOf({ status, code, detail, errors }: Problem): string {
  const faults = errors.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
  return `${status} ${code}: ${faults || detail}`;
}
