/**
 * Everything that can go wrong with a request: one entry per kind of problem.
 *
 * Layers below HTTP throw `ProblemError`; `http/problem-response.ts` alone answers a request with it. `title` and `help` are
 * also the text of the problem's page in /docs.
 */

/** Values of headers or parameters by their names. */
export type ByName = Readonly<Record<string, string>>;

/** What a partner does whose copy can be compared with no release. */
export const READ_LIST_AGAIN =
  'Read the whole list again, from page to page by the Link header, then ask for the changes since each release that its pages came from.';

/** The `WWW-Authenticate` header of every 401: it says how to authenticate. */
export const CHALLENGE = 'ApiKey realm="rental-store-directory", header="x-access-token"';

/**
 * A 503 is temporary, so every one of them says in `Retry-After` when to try again, in seconds. One
 * that is expected is no fault of the Worker: everyday lag, or the answer that a monitor asked for.
 */
type ProblemKind = { readonly title: string; readonly help: string } & (
  | { readonly status: 400 | 401 | 403 | 404 | 405 | 410 | 414 | 429 | 500 }
  | { readonly status: 503; readonly retryAfter: number; readonly isExpected?: true }
);

export const PROBLEMS = {
  invalid_parameters: {
    status: 400,
    title: 'Invalid parameters',
    help: 'One or more query parameters are unknown, malformed or out of range, so the request was not carried out. `errors` names the faults, at most 20 of each parameter.',
  },
  token_missing: {
    status: 401,
    title: 'Access token missing',
    help: 'Send the access token in the header x-access-token (x-api-key is accepted too).',
  },
  token_malformed: {
    status: 401,
    title: 'Access token malformed',
    help: 'The header does not hold an access token. A token looks like <prefix>sk_test_<secret> (staging) or <prefix>sk_live_<secret> (production).',
  },
  tokens_differ: {
    status: 401,
    title: 'Two different access tokens',
    help: 'x-access-token and x-api-key were both sent with different tokens. Send one of them, or the same token in both.',
  },
  token_wrong_environment: {
    status: 401,
    title: 'Access token of another environment',
    help: 'Staging accepts sk_test_ tokens only, production sk_live_ tokens only.',
  },
  token_unknown: {
    status: 401,
    title: 'Access token unknown',
    help: 'No such token has been issued for this environment. Check that it is whole, to its last character. A development server has a new token at each start: take the one that it printed last. Otherwise ask the operator.',
  },
  token_revoked: {
    status: 401,
    title: 'Access token revoked',
    help: 'The operator has revoked this token. Ask for a new one.',
  },
  token_expired: {
    status: 401,
    title: 'Access token expired',
    help: 'The token was issued with an end date that has passed. Ask for a new one.',
  },
  scope_missing: {
    status: 403,
    title: 'Scope missing',
    help: 'The token is valid but lacks the scope that the operation needs; `detail` names it.',
  },
  route_unknown: {
    status: 404,
    title: 'No such route',
    help: 'The service has no such path. Paths have no trailing slash; /openapi.json has those of all operations.',
  },
  store_unknown: {
    status: 404,
    title: 'No such store',
    help: 'No store has this id or slug. Upper and lower case of a slug matter. Slugs can change, ids do not.',
  },
  rental_point_unknown: {
    status: 404,
    title: 'No such rental point',
    help: 'The store has no rental point of this slug. The main location is not a rental point, and stores that hide their address show none.',
  },
  release_gone: {
    status: 410,
    title: 'Release no longer kept',
    help: `No release of this name is kept: it went out of use over eight days ago and is not one of the last ten, or was purged, or belongs to another address. ${READ_LIST_AGAIN}`,
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    help: 'The service is read-only: it answers GET and HEAD.',
  },
  query_too_long: {
    status: 414,
    title: 'Query too long',
    help: 'The text after the question mark has more than 16,000 bytes. Queries of up to 8,000 bytes are always read. Ask for fewer ids or fields at a time.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'The token has used up its allowance. Wait for the number of seconds in Retry-After.',
  },
  address_limited: {
    status: 429,
    title: 'Too many unknown tokens from this IP address',
    help: 'Within a minute, your address has sent too many tokens that do not exist, so no more are looked up. Wait for the number of seconds in Retry-After. A valid token that this data centre does not hold at the moment gets this answer too; tokens in use keep working.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    help: 'A fault of the service. Quote the x-request-id of the answer when you report it.',
  },
  snapshot_missing: {
    status: 503,
    title: 'Nothing published yet',
    help: 'No stores have been published to this environment yet. Try again after the number of seconds in Retry-After.',
    // For about this long after the first publication, KV may still answer that there is nothing.
    retryAfter: 30,
  },
  release_not_here_yet: {
    status: 503,
    title: 'Release not here yet',
    isExpected: true,
    help: 'This data centre has no release with so high a number yet. Either the release has just been published, and takes a minute and a half to reach every data centre: try again after the number of seconds in Retry-After. Or it is from another environment, which numbers its own releases: if this lasts for more than five minutes, read the whole list again.',
    retryAfter: 30,
  },
  storage_unreachable: {
    status: 503,
    title: 'Storage unreachable',
    help: 'The data needed for this answer could not be read from storage. Try again after the number of seconds in Retry-After.',
    retryAfter: 5,
  },
  run_overdue: {
    status: 503,
    title: 'Publishing is overdue',
    isExpected: true,
    help: 'Stores are served, but no publication has ended within the number of seconds in ran-within. Look at the job that publishes.',
    retryAfter: 60,
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** All codes, in the order in which they are listed. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** The stable codes of `errors`. `web/openapi/fault-codes.ts` says what each means. */
export type FaultCode =
  | 'unknown_parameter'
  | 'duplicate_parameter'
  | 'missing_parameter'
  | 'malformed_encoding'
  | 'empty_value'
  | 'malformed_value'
  | 'out_of_range'
  | 'unknown_value'
  | 'too_many'
  | 'too_long'
  | 'not_together'
  | 'position_required'
  | 'delivery_point_required'
  | 'more_faults';

/** One fault of one parameter, as it appears in the `errors` of a 400. */
export interface ParameterFault {
  readonly parameter: string;
  readonly code: string;
  readonly detail: string;
}

interface ProblemOptions {
  /** Faults of single parameters, for `invalid_parameters`. */
  readonly errors?: readonly ParameterFault[];
  /** Headers that the answer must carry besides the headers of its kind (`Retry-After` of a 429). */
  readonly headers?: ByName;
  readonly cause?: unknown;
}

/** A problem of one request. `detail` is shown to the caller and never holds a secret. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly errors: readonly ParameterFault[];
  readonly headers: ByName;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = { ...headersOf(PROBLEMS[code]), ...options.headers };
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** Whether the service is at fault, so that operators must know. */
  get isFault(): boolean {
    const kind: ProblemKind = PROBLEMS[this.code];
    return kind.status === 500 || (kind.status === 503 && !kind.isExpected);
  }
}

function headersOf(kind: ProblemKind): ByName {
  if (kind.status === 401) return { 'www-authenticate': CHALLENGE };
  if (kind.status === 405) return { allow: 'GET, HEAD' };
  return kind.status === 503 ? { 'retry-after': String(kind.retryAfter) } : {};
}
