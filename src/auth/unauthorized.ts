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

/** @param tokenId public id of the token, where its record is known */
export function unauthorized(
  code: UnauthorizedCode,
  detail: string,
  tokenId?: string,
): ProblemError {
  const headers = { 'WWW-Authenticate': CHALLENGE };
  return new ProblemError(code, detail, { headers, ...(tokenId !== undefined && { tokenId }) });
}
