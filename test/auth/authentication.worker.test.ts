/** Whom a token lets in, and what the others are told; the form of tokens, and what scopes allow. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import {
  hashToken,
  markerFor,
  markerOf,
  publicId,
  rotationKey,
  tokenKey,
} from '../../src/auth/token.ts';
import { grants, READ_STORES } from '../../src/auth/token-record.ts';
import { storage } from '../support/worker/bound-storage.ts';
import { issueToken, loggedFaults, storeToken, TOKEN_RECORD } from '../support/worker/harness.ts';
import { LET_IN, openGate } from './support/token-stage.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') }));

const GOOD_SECRET = 'a'.repeat(32);

describe('what is let in', () => {
  it('takes either header, both with the same token, and ignores an empty one', async () => {
    const { codeOf } = openGate();
    const token = await issueToken();
    for (const headers of [
      { 'x-access-token': token },
      { 'x-api-key': token },
      { 'x-access-token': token, 'x-api-key': token },
      { 'x-access-token': '', 'x-api-key': token },
      { 'x-access-token': token, 'x-api-key': '' },
    ]) {
      expect(await codeOf(headers)).toBe(LET_IN);
    }
  });

  it.each([
    ['production', `sk_live_${GOOD_SECRET}`],
    ['development', `sk_test_${GOOD_SECRET}`],
    ['staging', `sk_live_x-rsd_sk_test_${GOOD_SECRET}`],
    ['staging', `${'p'.repeat(64)}sk_test_${'a'.repeat(22)}`],
    ['staging', `sk_test_${'a'.repeat(128)}`],
  ] as const)('takes in %s the issued token %s', async (environment, token) => {
    await storeToken(token);
    expect(await openGate(environment).codeOf(token)).toBe(LET_IN);
  });
});

describe('what is refused', () => {
  const MALFORMED = [
    'nonsense',
    `sk_test_${'a'.repeat(21)}`,
    `sk_test_${'a'.repeat(129)}`,
    `sk_demo_${GOOD_SECRET}`,
    `sk_test_${GOOD_SECRET}!`,
    `pre fix_sk_test_${GOOD_SECRET}`,
    `sk_test_${GOOD_SECRET}, sk_test_${GOOD_SECRET}`,
    `${'p'.repeat(65)}sk_test_${GOOD_SECRET}`,
  ];

  it.each<[string, HeadersInit]>([
    ['token_missing', {}],
    ['token_missing', { 'x-access-token': '', 'x-api-key': '' }],
    ['token_missing', { authorization: `Bearer sk_test_${GOOD_SECRET}` }],
    ['tokens_differ', { 'x-access-token': `sk_test_${GOOD_SECRET}`, 'x-api-key': 'other' }],
    ...MALFORMED.map((token): [string, HeadersInit] => [
      'token_malformed',
      { 'x-access-token': token },
    ]),
  ])('says %s for %o, without reading KV', async (code, headers) => {
    const { codeOf, read } = openGate();
    expect(await codeOf(headers)).toBe(code);
    expect(read).not.toHaveBeenCalled();
  });

  it('in Authorization is told which header is read', async () => {
    const headers = { authorization: 'Bearer sk_test_anything' };
    expect((await openGate().problemOf(headers)).detail).toBe(
      'No access token was sent. Send it in the header x-access-token, not in Authorization.',
    );
  });

  it.each([
    ['production', 'staging'],
    ['staging', 'production'],
    ['development', 'production'],
  ] as const)('%s refuses a token of %s, known or not, without reading KV', async (here, there) => {
    const { problemOf, read } = openGate(here);
    const token = await issueToken({}, there);
    expect(await problemOf(token)).toMatchObject({
      code: 'token_wrong_environment',
      detail: expect.stringContaining(here),
    });
    expect(read).not.toHaveBeenCalled();
  });

  it.each([
    ['token_revoked', { revokedAt: '2026-11-19T00:00:00Z' }],
    ['token_revoked', { revokedAt: '2026-11-21T00:00:00Z' }],
    ['token_expired', { expiresAt: '2026-11-20T12:00:00Z' }],
    ['token_expired', { expiresAt: '2026-11-20T13:59:59+02:00' }],
  ] as const)('says %s for %o', async (code, changes) => {
    expect(await openGate().codeOf(await issueToken(changes))).toBe(code);
  });

  it.each([
    ['no JSON', 'partner=secret-partner'],
    ['an end that is no date', { ...TOKEN_RECORD, expiresAt: 'soon' }],
    ['an unknown field', { ...TOKEN_RECORD, admin: true }],
  ])('takes a record with %s for none, and reports it without a secret', async (_, record) => {
    const token = generateToken('development');
    const hash = await hashToken(token);
    storage.write(tokenKey(hash), record);
    expect(await openGate().codeOf(token)).toBe('token_unknown');
    const error = expect.stringContaining(publicId(hash));
    expect(loggedFaults()).toMatchObject([{ event: 'token_record_damaged', error }]);
    expect(JSON.stringify(loggedFaults())).not.toMatch(/secret-partner|Vélo/);
  });
});

it.each([
  ['is refused where its end is no date', issueToken, 'soon'],
  [
    'is no token where only the rotation has arrived',
    async () => generateToken('development'),
    '2999-01-01T00:00:00Z',
  ],
])('a token that was rotated %s', async (_, newToken, until) => {
  const token = await newToken();
  const rotation = { version: 1, rotatedAt: '2026-11-20T11:00:00Z', until };
  storage.write(rotationKey(await hashToken(token)), rotation);
  expect(await openGate().codeOf(token)).toBe('token_unknown');
});

describe('a new token', () => {
  it('has the marker of its environment, a prefix of ours and 192 random bits', () => {
    expect(generateToken('production')).toMatch(/^rsd_sk_live_[0-9a-f]{48}$/);
    expect(generateToken('staging')).toMatch(/^rsd_sk_test_[0-9a-f]{48}$/);
    expect(markerOf(generateToken('development'))).toBe(markerFor('staging'));
  });

  it('is known by the SHA-256 of its text', async () => {
    const hash = await hashToken('sk_test_0000000000000000000000');
    expect(hash).toBe('a93651e16c38fbf4301518127505eccc2eb6ec9b05b1b2d4e6030d4762014d1a');
    expect(publicId(hash)).toBe(hash.slice(0, 12));
  });
});

describe('scopes', () => {
  const level = fc.constantFrom('stores', 'items', 'read', 'write', 'GET', 'POST');
  const needed = fc.tuple(level, level, level);
  const held = fc.array(
    fc.tuple(...Array.from({ length: 3 }, () => fc.oneof(level, fc.constant('*')))),
    { maxLength: 4 },
  );

  it('grant what one of them covers at every level, and nothing else', () => {
    fc.assert(
      fc.property(held, needed, (scopes, [domain, action, route]) => {
        const expected = scopes.some(
          ([d, a, r]) =>
            (d === '*' || d === domain) &&
            (a === '*' || a === action) &&
            (r === '*' || r === route),
        );
        const texts = scopes.map((scope) => scope.join(':'));
        expect(grants(texts, `${domain}:${action}:${route}`)).toBe(expected);
      }),
    );
  });

  it.each(['store:read:GET', 'STORES:read:GET', '*', 'stores:read', 'stores:read:GET:x', ''])(
    '"%s" grants nothing that an operation needs',
    (scope) => {
      expect(grants([scope], READ_STORES)).toBe(false);
    },
  );
});
