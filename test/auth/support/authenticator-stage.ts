/** What authentication tests share: the real TOKENS namespace, watched. */

import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { Authenticator } from '../../../src/auth/authenticator.ts';
import { expectValid, type TokenReader } from '../../../src/auth/grant.ts';
import type { Environment } from '../../../src/auth/token.ts';
import type { TokenRecord } from '../../../src/auth/token-record.ts';
import { ProblemError } from '../../../src/model/problem.ts';
import type { Report } from '../../../src/storage/reading.ts';
import { TestContext } from '../../support/stores/memory-snapshot.ts';
import { issueToken, tokenEntry } from '../../support/worker/harness.ts';

export const START = Date.parse('2026-11-20T12:00:00Z');

/** What every 401 says. */
const HOW_TO_AUTHENTICATE = {
  'www-authenticate': 'ApiKey realm="rental-store-directory", header="x-access-token"',
};

/** An authenticator over the real namespace, whose reads are watched. */
export function stage(environment: Environment = 'staging') {
  const tokens: TokenReader = env.TOKENS;
  const read = vi.spyOn(tokens, 'get');
  const report = vi.fn<Report>();
  const authenticator = new Authenticator(tokens, environment, report);
  const request = new TestContext();
  const enter = async (presented: string | HeadersInit) => {
    // Each is a request of its own, which has waited for nothing yet.
    request.storage.waited = 0;
    const headers = typeof presented === 'string' ? { 'x-access-token': presented } : presented;
    const grant = await authenticator.authenticate(new Headers(headers), request);
    expectValid(grant);
    return grant.caller;
  };
  /** The problem that an attempt ends in; fails the test when it is let in. */
  const refusal = async (...attempt: Parameters<typeof enter>): Promise<ProblemError> => {
    const error = await enter(...attempt).catch((reason: unknown) => reason);
    if (!(error instanceof ProblemError)) throw new Error('expected a problem', { cause: error });
    if (error.status === 401) expect(error.headers).toEqual(HOW_TO_AUTHENTICATE);
    return error;
  };
  const codeOf = async (...attempt: Parameters<typeof enter>) => (await refusal(...attempt)).code;
  return { read, report, request, enter, refusal, codeOf };
}

/** Puts a record for `token`; `changes` are what it has and an ordinary one has not. */
export async function store(token: string, changes: Partial<TokenRecord> = {}): Promise<void> {
  await env.TOKENS.put(...(await tokenEntry(token, changes)));
}

/** A new token of staging that is stored. */
export const issue = (changes: Partial<TokenRecord> = {}) => issueToken(changes, 'staging');
