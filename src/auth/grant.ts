/** What a token allows, worked out of its record once so that each request only compares. */
import { ProblemError } from '../problem.ts';
import { type Caller, callerOf } from './caller.ts';
import { grants } from './scope.ts';
import type { TokenRecord } from './token-record.ts';
import { unauthorized } from './unauthorized.ts';

export interface Grant {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresAt: number;
}

export function grantOf(tokenId: string, record: TokenRecord): Grant {
  return {
    caller: callerOf(tokenId, record),
    scopes: record.scopes,
    revoked: record.revokedAt !== null,
    expiresAt: record.expiresAt === null ? Infinity : Date.parse(record.expiresAt),
  };
}

/**
 * The caller, if the grant holds at `now` (milliseconds since 1970) and covers `scope`.
 * @throws ProblemError token_revoked, token_expired, scope_missing
 */
export function admit(grant: Grant, scope: string, now: number): Caller {
  const { tokenId } = grant.caller;
  if (grant.revoked) throw unauthorized('token_revoked', 'This token has been revoked.', tokenId);
  // Put so that an end that is no number has passed.
  if (!(now < grant.expiresAt)) {
    throw unauthorized('token_expired', 'This token has expired.', tokenId);
  }
  if (!grants(grant.scopes, scope)) {
    throw new ProblemError('scope_missing', `The token lacks the scope ${scope}.`, { tokenId });
  }
  return grant.caller;
}
