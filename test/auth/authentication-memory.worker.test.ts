/** What an isolate remembers of tokens, for how long, and how many of them. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import {
  MAX_RECORDS,
  MAX_UNKNOWNS,
  RECORD_LIFETIME,
  RENEWAL_AGE,
  UNKNOWN_LIFETIME,
} from '../../src/auth/authenticator.ts';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import { sealJson } from '../../src/sealed-json.ts';
import { TOKEN_RECORD } from '../support/worker/harness.ts';
import { issue, START, stage, store } from './support/authenticator-stage.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: START }));

afterEach(() => reset());

const REVOKED = { revokedAt: '2026-11-20T12:00:01Z' };

/** A token of its own for each number. */
const numbered = (number: number) => `sk_test_${String(number).padStart(32, '0')}`;

it('answers a known token at once, without storage, and gives the same caller', async () => {
  const { enter, authenticator, request, tokens } = stage();
  const token = await issue();
  const caller = await enter(token);
  vi.advanceTimersByTime(RENEWAL_AGE - 1);
  const headers = new Headers({ 'x-api-key': token });
  const grant = authenticator.authenticate(headers, request);
  expect(grant).toMatchObject({ caller });
  expect(tokens.reads).toBe(1);
});

it('checks the scope of a known token on every request', async () => {
  const { enter, codeOf, tokens } = stage();
  const token = await issue();
  await enter(token);
  expect(await codeOf(token, 'stores:write:POST')).toBe('scope_missing');
  expect(tokens.reads).toBe(1);
});

it('sees an expiry the moment it comes, though the record is in memory', async () => {
  const { enter, codeOf, tokens } = stage();
  const token = await issue({ expiresAt: new Date(START + 10_000).toISOString() });
  await enter(token);
  vi.setSystemTime(START + 9_999);
  await enter(token);
  vi.setSystemTime(START + 10_000);
  expect(await codeOf(token)).toBe('token_expired');
  expect(tokens.reads).toBe(1);
});

it('sees a revocation, and a deletion, once the record has served its time', async () => {
  const { enter, codeOf } = stage();
  const [revoked, deleted] = [await issue(), await issue()];
  await enter(revoked);
  await enter(deleted);
  await store(revoked, REVOKED);
  await env.TOKENS.delete(tokenKey(await hashToken(deleted)));
  vi.advanceTimersByTime(RECORD_LIFETIME - 1);
  await enter(revoked);
  await enter(deleted);
  vi.advanceTimersByTime(1);
  expect(await codeOf(revoked)).toBe('token_revoked');
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await codeOf(deleted)).toBe('token_unknown');
  }
});

it('asks once for a record that many requests find due', async () => {
  const { enter, tokens } = stage();
  const token = await issue();
  await enter(token);
  vi.advanceTimersByTime(RECORD_LIFETIME);
  await Promise.all(Array.from({ length: 20 }, () => enter(token)));
  expect(tokens.reads).toBe(2);
});

it('has every request wait for a record that lay idle to be read anew', async () => {
  const { enter, codeOf } = stage();
  const token = await issue();
  await enter(token);
  await store(token, REVOKED);
  vi.advanceTimersByTime(5 * RECORD_LIFETIME);
  const codes = await Promise.all([codeOf(token), codeOf(token)]);
  expect(codes).toEqual(['token_revoked', 'token_revoked']);
});

it('refuses an unknown token unasked for a while, then looks again', async () => {
  const { enter, codeOf, tokens } = stage();
  const token = generateToken('staging');
  await codeOf(token);
  await store(token);
  vi.advanceTimersByTime(UNKNOWN_LIFETIME - 1);
  expect(await codeOf(token)).toBe('token_unknown');
  expect(tokens.reads).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await enter(token)).toBeDefined();
  expect(tokens.reads).toBe(2);
});

it('keeps so many unknown tokens, and none of them takes the place of a known one', async () => {
  const { enter, codeOf, tokens } = stage();
  const known = await issue();
  await enter(known);
  for (let guess = 0; guess <= MAX_UNKNOWNS; guess++) await codeOf(numbered(guess));
  tokens.reads = 0;
  await enter(known);
  await codeOf(numbered(1));
  expect(tokens.reads).toBe(0);
  await codeOf(numbered(0));
  expect(tokens.reads).toBe(1);
});

it('keeps so many records, and drops the one read longest ago', async () => {
  const { enter, tokens } = stage();
  const record = sealJson(TOKEN_RECORD);
  tokens.get = async ([key = '']) => {
    tokens.reads++;
    return new Map([[key, record]]);
  };
  for (let number = 0; number <= MAX_RECORDS; number++) await enter(numbered(number));
  tokens.reads = 0;
  await enter(numbered(1));
  expect(tokens.reads).toBe(0);
  await enter(numbered(0));
  expect(tokens.reads).toBe(1);
});
