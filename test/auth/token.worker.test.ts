import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateToken, KNOWN_SCOPE_LEVELS, scopeFault } from '../../scripts/token/new-token.ts';
import { grants, READ_STORES, scopeSchema } from '../../src/auth/scope.ts';
import { hashToken, markerFor, markerOf, publicId } from '../../src/auth/token.ts';

const letters = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const prefix = fc.oneof(
  letters(`${ALPHANUMERIC}_-`, 0, 40),
  fc.constantFrom('', 'sk_test_', 'sk_live_', 'rsd_sk_live_', 'sk_', '_', 'sk_live_sk_test'),
);
const marker = fc.constantFrom('test', 'live');
const secret = letters(ALPHANUMERIC, 22, 128);

describe('the form of a token', () => {
  it('is read whatever the prefix: the last marker counts', () => {
    fc.assert(
      fc.property(prefix, marker, secret, (before, mark, after) => {
        expect(markerOf(`${before}sk_${mark}_${after}`)).toBe(mark);
      }),
    );
  });

  it('has a secret of 22 to 128 letters and digits', () => {
    const wrongSecret = fc.oneof(
      letters(ALPHANUMERIC, 0, 21),
      letters(ALPHANUMERIC, 129, 200),
      fc
        .tuple(secret, fc.constantFrom(...' _-.,+/=\n\té'), secret)
        .map(([before, odd, after]) => (before + odd + after).slice(0, 100)),
    );
    fc.assert(
      fc.property(prefix, marker, wrongSecret, (before, mark, after) => {
        expect(markerOf(`${before}sk_${mark}_${after}`)).toBeNull();
      }),
    );
  });

  it('is held by nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(markerOf(text)).toBeNull();
      }),
    );
  });
});

describe('a new token', () => {
  it('has the marker of its environment, a prefix of ours and 32 characters of secret', () => {
    expect(generateToken('production')).toMatch(/^rsd_sk_live_[A-Za-z0-9]{32}$/);
    expect(generateToken('staging')).toMatch(/^rsd_sk_test_[A-Za-z0-9]{32}$/);
    expect(markerOf(generateToken('development'))).toBe(markerFor('staging'));
  });

  it('is drawn evenly from all 62 characters', () => {
    const counts = new Map<string, number>();
    const tokens = Array.from({ length: 4_000 }, () => generateToken('staging'));
    for (const token of tokens) {
      for (const character of token.slice('rsd_sk_test_'.length)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(new Set(tokens).size).toBe(tokens.length);
    expect([...counts.keys()].sort().join('')).toBe([...ALPHANUMERIC].sort().join(''));
    // 2,065 of each are expected, give or take 45; a modulo of a byte gives the first eight 25 % more.
    for (const count of counts.values()) expect(Math.abs(count - 2_065)).toBeLessThan(350);
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
    {
      maxLength: 4,
    },
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

  it.each([
    [[]],
    [['*']],
    [['stores:read']],
    [['*:*']],
    [['stores:read:GET:x']],
    [['STORES:read:GET']],
  ])('%o do not grant stores:read:GET', (scopes: string[]) => {
    expect(grants(scopes, READ_STORES)).toBe(false);
  });

  it('can be issued when every level is known or a star', () => {
    const levels = KNOWN_SCOPE_LEVELS.map(({ values }) => fc.constantFrom(...values, '*'));
    fc.assert(
      fc.property(fc.tuple(...levels), (parts) => {
        expect(scopeFault(parts.join(':'))).toBeNull();
        expect(scopeSchema.safeParse(parts.join(':')).success).toBe(true);
      }),
    );
  });

  it.each([
    ['store:read:GET', 'unknown domain, got "store"'],
    ['stores:reed:GET', 'unknown action, got "reed"'],
    ['stores:read:get', 'unknown route, got "get"'],
    ['stores:read', 'has not the form domain:action:route'],
    ['', 'has not the form domain:action:route'],
    ['::', 'unknown domain, got ""'],
  ])('%s cannot be issued, and it is said why', (scope, fault) => {
    expect(scopeFault(scope)).toContain(fault);
  });
});
