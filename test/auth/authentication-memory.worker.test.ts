import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import {
  Authenticator,
  RECORD_LIFETIME,
  REMEMBERED_RECORDS,
  REMEMBERED_UNKNOWNS,
  UNKNOWN_LIFETIME,
} from '../../src/auth/authenticator.ts';
import { READ_STORES } from '../../src/auth/scope.ts';
import type { TokenReader } from '../../src/auth/stored-grant.ts';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import { sealJson } from '../../src/sealed-json.ts';
import { TestBackground } from '../support/stores/memory-snapshot.ts';
import { issue, problemOf, RECORD, START, stage, store } from './support/authenticator-stage.ts';

afterEach(() => reset());

describe('memory', () => {
  it('answers a known token at once, without storage, and gives the same caller', async () => {
    const { enter, authenticator, background, tokens, clock } = stage();
    const token = await issue();
    const caller = await enter(token);
    clock.now += RECORD_LIFETIME - 1;
    const headers = new Headers({ 'x-api-key': token });
    expect(authenticator.authenticate(headers, READ_STORES, background)).toBe(caller);
    expect(tokens.reads).toBe(1);
  });

  it('checks the scope of a known token on every request', async () => {
    const { enter, tokens } = stage();
    const token = await issue();
    await enter(token);
    expect((await problemOf(() => enter(token, 'stores:write:POST'))).code).toBe('scope_missing');
    expect(tokens.reads).toBe(1);
  });

  it('sees an expiry the moment it comes, though the record is in memory', async () => {
    const { enter, clock, tokens } = stage();
    const token = await issue({ expiresAt: new Date(START + 10_000).toISOString() });
    await enter(token);
    clock.now = START + 9_999;
    await enter(token);
    clock.now = START + 10_000;
    expect((await problemOf(() => enter(token))).code).toBe('token_expired');
    expect(tokens.reads).toBe(1);
  });

  it('sees a revocation, and a deletion, once the record has served its time', async () => {
    const { enter, clock } = stage();
    const [revoked, deleted] = [await issue(), await issue()];
    await enter(revoked);
    await enter(deleted);
    await store(revoked, { revokedAt: '2026-11-20T12:00:01Z' });
    await env.TOKENS.delete(tokenKey(await hashToken(deleted)));
    clock.now += RECORD_LIFETIME - 1;
    await enter(revoked);
    await enter(deleted);
    clock.now += 1;
    expect((await problemOf(() => enter(revoked))).code).toBe('token_revoked');
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await problemOf(() => enter(deleted))).code).toBe('token_unknown');
    }
  });

  it('asks once for a record that many requests find due', async () => {
    const { enter, clock, tokens } = stage();
    const token = await issue();
    await enter(token);
    clock.now += RECORD_LIFETIME;
    await Promise.all(Array.from({ length: 20 }, () => enter(token)));
    expect(tokens.reads).toBe(2);
  });

  it('waits for a record that lay idle to be read anew', async () => {
    const { enter, clock } = stage();
    const token = await issue();
    await enter(token);
    await store(token, { revokedAt: '2026-11-20T12:00:01Z' });
    clock.now += 5 * RECORD_LIFETIME;
    const problems = await Promise.all([
      problemOf(() => enter(token)),
      problemOf(() => enter(token)),
    ]);
    expect(problems.map((problem) => problem.code)).toEqual(['token_revoked', 'token_revoked']);
  });

  it('refuses an unknown token unasked for a while, then looks again', async () => {
    const { enter, clock, tokens } = stage();
    const token = generateToken('staging');
    await problemOf(() => enter(token));
    await store(token);
    clock.now += UNKNOWN_LIFETIME - 1;
    expect((await problemOf(() => enter(token))).code).toBe('token_unknown');
    expect(tokens.reads).toBe(1);
    clock.now += 1;
    expect(await enter(token)).toBeDefined();
    expect(tokens.reads).toBe(2);
  });

  it('is bounded, and no number of guesses evicts a known token', async () => {
    const { enter, tokens } = stage();
    const known = await issue();
    await enter(known);
    const guessed = (guess: number) => `sk_test_${String(guess).padStart(32, '0')}`;
    const last = REMEMBERED_UNKNOWNS + 49;
    for (let guess = 0; guess <= last; guess++) await problemOf(() => enter(guessed(guess)));
    const readsFor = async (work: () => Promise<unknown>) => {
      const before = tokens.reads;
      await work();
      return tokens.reads - before;
    };
    expect(await readsFor(() => enter(known))).toBe(0);
    expect(await readsFor(() => problemOf(() => enter(guessed(last))))).toBe(0);
    expect(await readsFor(() => problemOf(() => enter(guessed(0))))).toBe(1);
  });

  it('holds a bounded number of records, dropping the one read longest ago', async () => {
    const record = sealJson(RECORD);
    const keys: string[] = [];
    const tokens: TokenReader = {
      get: async (asked) => {
        const [key = ''] = asked;
        keys.push(key);
        return new Map([[key, record]]);
      },
    };
    const authenticator = new Authenticator(tokens, 'staging', { now: () => START });
    const enter = async (index: number) => {
      const token = `sk_test_${String(index).padStart(32, '0')}`;
      const headers = new Headers({ 'x-access-token': token });
      await authenticator.authenticate(headers, READ_STORES, new TestBackground());
    };
    for (let index = 0; index <= REMEMBERED_RECORDS; index++) await enter(index);
    await enter(1);
    expect(keys).toHaveLength(REMEMBERED_RECORDS + 1);
    await enter(0);
    expect(keys).toHaveLength(REMEMBERED_RECORDS + 2);
  });
});
