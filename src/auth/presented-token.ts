/** The token that a request presents, and whether it can be one of this environment at all. */
import type { Environment } from './environment.ts';
import { markerFor, markerOf } from './token.ts';
import { unauthorized } from './unauthorized.ts';

/** The contract names both; an empty header counts as none. */
const TOKEN_HEADERS = ['x-access-token', 'x-api-key'] as const;

/**
 * The text of the token headers, whatever it is.
 * @throws ProblemError token_missing, tokens_differ
 */
export function presentedToken(headers: Headers): string {
  const first = headers.get(TOKEN_HEADERS[0]) || null;
  const second = headers.get(TOKEN_HEADERS[1]) || null;
  if (first !== null && second !== null && first !== second) {
    throw unauthorized('tokens_differ', 'x-access-token and x-api-key hold different tokens.');
  }
  const token = first ?? second;
  if (token === null) {
    const detail = 'No access token was sent. Send it in the header x-access-token.';
    throw unauthorized('token_missing', detail);
  }
  return token;
}

/** @throws ProblemError token_malformed, token_wrong_environment */
export function expectTokenOf(environment: Environment, token: string): void {
  const marker = markerOf(token);
  if (marker === null) {
    throw unauthorized('token_malformed', 'What was sent has not the form of an access token.');
  }
  const expected = markerFor(environment);
  if (marker !== expected) {
    const detail = `This is ${environment}: it takes sk_${expected}_ tokens, not sk_${marker}_ ones.`;
    throw unauthorized('token_wrong_environment', detail);
  }
}
