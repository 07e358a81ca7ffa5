/** What goes wrong: the service says no, or it is not to be reached. */
import type { ParameterFault, ProblemCode } from './contract.ts';

/**
 * A code of the service, of which there may be more in time; `unexplained` is an error whose answer
 * is no problem document, such as that of a proxy in between.
 */
export type ErrorCode = ProblemCode | 'unexplained' | (string & {});

/** What the service tells of a refusal. */
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

function messageOf({ status, code, detail, errors }: Problem): string {
  const faults = errors.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
  return `${status} ${code}: ${faults || detail}`;
}
