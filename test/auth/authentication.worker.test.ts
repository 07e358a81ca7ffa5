import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import { READ_STORES } from '../../src/auth/scope.ts';
import { hashToken, publicId, rotationKey, tokenKey } from '../../src/auth/token.ts';
import type { TokenRecord } from '../../src/auth/token-record.ts';
import { sealJson } from '../../src/sealed-json.ts';
import {
  issue,
  problemOf,
  RECORD,
  rotate,
  START,
  stage,
  store,
} from './support/authenticator-stage.ts';

afterEach(() => reset());

describe('what is let in', () => {
  it('gives the caller of a token, with its public id and no more of it', async () => {
    const { enter, tokens } = stage();
    const token = await issue();
    const hash = await hashToken(token);
    expect(await enter(token)).toEqual({
      tokenId: publicId(hash),
      partner: 'Vélo & Co',
      utm: null,
      utmKey: '',
    });
    expect(tokens.keys).toEqual([`token/${hash}`, `token/${hash}.rotation`]);
    expect(tokens.reads).toBe(1);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(publicId(hash)).toHaveLength(12);
  });

  it('takes either header, both with the same token, and ignores an empty one', async () => {
    const { authenticator, background } = stage();
    const token = await issue();
    for (const headers of [
      { 'x-access-token': token },
      { 'x-api-key': token },
      { 'x-access-token': token, 'x-api-key': token },
      { 'x-access-token': '', 'x-api-key': token },
      { 'x-access-token': token, 'x-api-key': '' },
    ]) {
      const caller = await authenticator.authenticate(
        new Headers(headers),
        READ_STORES,
        background,
      );
      expect(caller.partner).toBe('Vélo & Co');
    }
  });

  it('takes live tokens in production and test tokens in development', async () => {
    for (const environment of ['production', 'development'] as const) {
      const token = generateToken(environment);
      await store(token);
      expect(await stage(environment).enter(token)).toBeDefined();
    }
  });

  it('takes a token of any prefix, even one that looks like a marker', async () => {
    const token = `sk_live_x-${generateToken('staging')}`;
    await store(token);
    expect(await stage().enter(token)).toBeDefined();
  });

  it('tells attributions apart, and equal ones not', async () => {
    const { enter } = stage();
    const keyOf = async (utm: TokenRecord['utm']) => (await enter(await issue({ utm }))).utmKey;
    const keys = [
      await keyOf(null),
      await keyOf({ utm_source: 'a' }),
      await keyOf({ utm_medium: 'a' }),
      await keyOf({ utm_source: 'a', utm_medium: 'b' }),
      await keyOf({ utm_source: 'a","b' }),
      await keyOf({ utm_source: 'a,b' }),
      await keyOf({ utm_source: 'a', utm_medium: 'b,' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(await keyOf({ utm_medium: 'b', utm_source: 'a' })).toBe(keys[3]);
    expect(await keyOf({})).toBe(keys[0]);
  });
});

describe('what is refused', () => {
  it.each([
    ['without a header', {}],
    ['with empty headers', { 'x-access-token': '', 'x-api-key': '' }],
    ['under a wrong header name', { authorization: `Bearer ${generateToken('staging')}` }],
  ])('refuses a request %s', async (_, headers) => {
    const { authenticator, background, tokens } = stage();
    const problem = await problemOf(() =>
      authenticator.authenticate(new Headers(headers), READ_STORES, background),
    );
    expect(problem.code).toBe('token_missing');
    expect(tokens.reads).toBe(0);
  });

  it('in Authorization is told which header is read', async () => {
    const { authenticator, background } = stage();
    const headers = new Headers({ authorization: 'Bearer sk_test_anything' });
    const problem = await problemOf(() =>
      authenticator.authenticate(headers, READ_STORES, background),
    );
    expect(problem.message).toBe(
      'No access token was sent. Send it in the header x-access-token, not in Authorization.',
    );
  });

  it.each([
    'nonsense',
    'sk_test_short',
    `sk_test_${'a'.repeat(21)}`,
    `sk_test_${'a'.repeat(129)}`,
    `sk_demo_${'a'.repeat(32)}`,
    `sk_test_${'a'.repeat(31)}!`,
    `pre fix_sk_test_${'a'.repeat(32)}`,
    `sk_test_${'a'.repeat(32)}, sk_test_${'a'.repeat(32)}`,
    `${'p'.repeat(65)}sk_test_${'a'.repeat(32)}`,
  ])('refuses %s as malformed, without reading KV', async (token) => {
    const { enter, tokens } = stage();
    expect((await problemOf(() => enter(token))).code).toBe('token_malformed');
    expect(tokens.reads).toBe(0);
  });

  it.each([
    ['production', 'staging'],
    ['staging', 'production'],
    ['development', 'production'],
  ] as const)('%s refuses a token of %s, known or not, without reading KV', async (here, there) => {
    const { enter, tokens } = stage(here);
    const token = generateToken(there);
    await store(token);
    const problem = await problemOf(() => enter(token));
    expect(problem.code).toBe('token_wrong_environment');
    expect(problem.message).toContain(here);
    expect(tokens.reads).toBe(0);
  });

  it('refuses two different tokens, though both are good', async () => {
    const { authenticator, background, tokens } = stage();
    const headers = new Headers({ 'x-access-token': await issue(), 'x-api-key': await issue() });
    const problem = await problemOf(() =>
      authenticator.authenticate(headers, READ_STORES, background),
    );
    expect(problem.code).toBe('tokens_differ');
    expect(tokens.reads).toBe(0);
  });

  it.each([
    ['token_revoked', { revokedAt: '2026-11-19T00:00:00Z' }],
    ['token_revoked', { revokedAt: '2026-11-21T00:00:00Z' }],
    ['token_expired', { expiresAt: '2026-11-20T12:00:00Z' }],
    ['token_expired', { expiresAt: '2026-11-20T13:59:59+02:00' }],
  ] as const)('says %s for %o', async (code, changes) => {
    const { enter } = stage();
    const token = await issue(changes);
    expect((await problemOf(() => enter(token))).code).toBe(code);
  });

  it('refuses what was never issued', async () => {
    const { enter } = stage();
    const problem = await problemOf(() => enter(generateToken('staging')));
    expect(problem.code).toBe('token_unknown');
  });

  it('says with every 401 how to authenticate, and never repeats the token', async () => {
    const { enter, authenticator, background } = stage();
    const tokens = [
      generateToken('staging'),
      generateToken('production'),
      await issue({ revokedAt: '2026-11-19T00:00:00Z' }),
      await issue({ expiresAt: '2026-11-19T00:00:00Z' }),
      'malformed-secret',
    ];
    const problems = [
      await problemOf(() => authenticator.authenticate(new Headers(), READ_STORES, background)),
    ];
    for (const token of tokens) problems.push(await problemOf(() => enter(token)));
    for (const problem of problems) {
      expect(problem.status).toBe(401);
      expect(problem.headers).toEqual({
        'WWW-Authenticate': 'ApiKey realm="rental-store-directory", header="x-access-token"',
      });
      for (const token of tokens) expect(problem.message).not.toContain(token);
    }
    expect(new Set(problems.map((problem) => problem.code)).size).toBe(6);
  });

  it.each([
    ['no JSON', 'partner=secret-partner'],
    ['no sum', JSON.stringify(RECORD)],
    ['a missing field', sealJson({ ...RECORD, scopes: undefined })],
    ['a newer version', sealJson({ ...RECORD, version: 2 })],
    ['an end that is no date', sealJson({ ...RECORD, expiresAt: 'soon' })],
    ['an unknown field', sealJson({ ...RECORD, admin: true })],
  ])('takes a record with %s for none, and reports it without a secret', async (_, text) => {
    const { enter, reports } = stage();
    const token = generateToken('staging');
    const hash = await hashToken(token);
    await env.TOKENS.put(tokenKey(hash), text);
    expect((await problemOf(() => enter(token))).code).toBe('token_unknown');
    expect(reports.map((report) => report.event)).toEqual(['token_record_damaged']);
    const message = String(reports[0]?.error);
    expect(message).toContain(publicId(hash));
    for (const secret of [token, hash, 'secret-partner', 'Vélo']) {
      expect(message).not.toContain(secret);
    }
  });
});

describe('a token that was rotated', () => {
  it('is let in until the rotation ends it, or its record does before that', async () => {
    const { enter, clock } = stage();
    const [endless, shorter] = [
      await issue(),
      await issue({ expiresAt: new Date(START + 1_000).toISOString() }),
    ];
    for (const token of [endless, shorter]) {
      await rotate(token, new Date(START + 5_000).toISOString());
    }
    clock.now = START + 999;
    expect(await enter(shorter)).toBeDefined();
    clock.now = START + 1_000;
    expect((await problemOf(() => enter(shorter))).code).toBe('token_expired');
    clock.now = START + 4_999;
    expect(await enter(endless)).toBeDefined();
    clock.now = START + 5_000;
    expect((await problemOf(() => enter(endless))).code).toBe('token_expired');
  });

  it('is revoked if its record says so, whatever the rotation says', async () => {
    const { enter } = stage();
    const token = await issue({ revokedAt: '2026-11-20T11:30:00Z' });
    await rotate(token, '2999-01-01T00:00:00Z');
    expect((await problemOf(() => enter(token))).code).toBe('token_revoked');
  });

  it('whose end cannot be read is refused and reported', async () => {
    const { enter, reports } = stage();
    const token = await issue();
    await env.TOKENS.put(
      rotationKey(await hashToken(token)),
      sealJson({ version: 1, until: 'soon' }),
    );
    expect((await problemOf(() => enter(token))).code).toBe('token_unknown');
    expect(reports.map((report) => report.event)).toEqual(['token_record_damaged']);
  });

  it('is no token where only the rotation has arrived', async () => {
    const { enter } = stage();
    const token = generateToken('staging');
    await rotate(token, '2999-01-01T00:00:00Z');
    expect((await problemOf(() => enter(token))).code).toBe('token_unknown');
  });
});
