/** The form of tokens, and what scopes allow. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import { hashToken, markerFor, markerOf, publicId } from '../../src/auth/token.ts';
import { grants, READ_STORES, scopeSchema } from '../../src/auth/token-record.ts';

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

  it.each(['stores:read:GET', 'stores:*:GET', '*:*:*'])('%s can be issued', (scope) => {
    expect(grants([scope], READ_STORES)).toBe(true);
    expect(scopeSchema.safeParse(scope).success).toBe(true);
  });

  it.each([
    ...['stores:write:GET', 'items:*:*', 'store:read:GET', 'stores:reed:GET', 'stores:read:get'],
    ...['STORES:read:GET', '*', 'stores:read', 'stores:read:GET:x', ''],
  ])('"%s" grants nothing that an operation needs', (scope) => {
    expect(grants([scope], READ_STORES)).toBe(false);
  });
});
