/** The 401s: every one of them says how to authenticate. */
import { ProblemError } from '../problem.ts';

type UnauthorizedCode =
  | 'token_missing'
  | 'token_malformed'
  | 'tokens_differ'
  | 'token_wrong_environment'
  | 'token_unknown'
  | 'token_revoked'
  | 'token_expired';

export const CHALLENGE = 'ApiKey realm="rental-store-directory", header="x-access-token"';

export function unauthorized(code: UnauthorizedCode, detail: string): ProblemError {
  return new ProblemError(code, detail, { headers: { 'WWW-Authenticate': CHALLENGE } });
}
