/**
 * What a token allows and to whom: worked out once from its record, so that a request is admitted
 * or refused by comparing a few values.
 */
import { UTM_PARAMETERS, type Utm } from '../model/utm.ts';
import { ProblemError } from '../problem.ts';
import { grants } from './scope.ts';
import { endOfLife, type Rotation, type TokenRecord } from './token-record.ts';

/** Whom a token stands for, as the rest of the service sees it. */
export interface Caller {
  /** Public id of the token: safe to log. */
  readonly tokenId: string;
  /** Attribution of page URLs; null when the token carries none. */
  readonly utm: Utm | null;
  /** Equal attributions have equal keys, different ones different keys. Part of the ETag. */
  readonly utmKey: string;
}

/** What a token allows and to whom, worked out from its record. */
export interface Grant {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
  /** Milliseconds since 1970; Infinity where the token does not expire. */
  readonly expiresAt: number;
}

/** The grant of the token with the public id `tokenId`. @param rotation null: it was never rotated */
export function grantOf(tokenId: string, record: TokenRecord, rotation: Rotation | null): Grant {
  const end = endOfLife(record.expiresAt, rotation);
  return {
    caller: callerOf(tokenId, record),
    scopes: record.scopes,
    revoked: record.revokedAt !== null,
    expiresAt: end === null ? Infinity : Date.parse(end),
  };
}

/** Refuses a grant that does not hold any more. @throws ProblemError token_revoked, token_expired */
export function expectValid({ revoked, expiresAt }: Grant): void {
  if (revoked) throw new ProblemError('token_revoked', 'This token has been revoked.');
  // Written so that an expiry that could not be parsed (NaN) counts as passed.
  if (!(Date.now() < expiresAt)) throw new ProblemError('token_expired', 'This token has expired.');
}

/** Refuses a grant that does not cover `scope`. @throws ProblemError scope_missing */
export function expectScope({ scopes }: Grant, scope: string): void {
  if (grants(scopes, scope)) return;
  throw new ProblemError('scope_missing', `The token lacks the scope ${scope}.`);
}

function callerOf(tokenId: string, record: TokenRecord): Caller {
  const values = UTM_PARAMETERS.map((name) => record.utm?.[name] ?? null);
  const utm = values.every((value) => value === null) ? null : record.utm;
  return {
    tokenId,
    utm,
    utmKey: utm ? JSON.stringify(values) : '',
  };
}
