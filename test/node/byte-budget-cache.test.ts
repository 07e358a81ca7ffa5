import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBudgetCache } from '../../src/cache/byte-budget-cache.ts';

const bytes = (length: number) => new Uint8Array(length);
const cacheOf = (budget: number) => new ByteBudgetCache<Uint8Array>(budget, (v) => v.length);

describe('byte-budget cache', () => {
  it('never holds more than its budget, and only what was put in', () => {
    const step = fc.tuple(fc.nat(20), fc.nat(60), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = cacheOf(100);
        const last = new Map<string, Uint8Array>();
        for (const [key, size, put] of steps) {
          const name = String(key);
          if (put) {
            const value = bytes(size);
            cache.set(name, value);
            last.set(name, value);
          } else {
            const held = cache.get(name);
            if (held) expect(held).toBe(last.get(name));
          }
          expect(cache.bytes).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it('keeps what is used and drops what is not', () => {
    const cache = cacheOf(100);
    cache.set('used', bytes(10));
    for (let n = 0; n < 50; n++) {
      cache.set(`other ${n}`, bytes(10));
      expect(cache.get('used')).toHaveLength(10);
    }
    expect(cache.get('other 0')).toBeUndefined();
    expect(cache.get('other 49')).toHaveLength(10);
  });

  it('refuses a value larger than half of the budget', () => {
    const cache = cacheOf(100);
    cache.set('large', bytes(51));
    expect(cache.get('large')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });
});
