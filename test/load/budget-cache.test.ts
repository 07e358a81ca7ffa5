/** A cache within a budget of bytes, which keeps what is used again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BudgetCache } from '../../src/cache/budget-cache.ts';

const bytes = (length: number) => new Uint8Array(length);
const cacheOf = (budget: number) => new BudgetCache<Uint8Array>(budget, (v) => v.length);

describe('budget cache', () => {
  it('never holds more than its budget, and only what was put in', () => {
    const action = fc.constantFrom('set', 'get', 'delete', 'resize');
    const step = fc.tuple(fc.nat(20), fc.nat(110), action);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let budget = 100;
        const cache = cacheOf(budget);
        const last = new Map<string, Uint8Array>();
        for (const [key, size, action] of steps) {
          const name = String(key);
          if (action === 'set') {
            const value = bytes(size);
            cache.set(name, value);
            last.set(name, value);
          } else if (action === 'get') {
            const peeked = cache.peek(name);
            expect(cache.get(name)).toBe(peeked);
            if (peeked) expect(peeked).toBe(last.get(name));
          } else if (action === 'delete') {
            cache.delete(name);
            expect(cache.peek(name)).toBeUndefined();
          } else {
            budget = size;
            cache.resize(budget);
          }
          const held = [...last].filter(([each]) => cache.peek(each));
          expect(cache.size).toBe(held.reduce((sum, [, value]) => sum + value.length, 0));
          expect([...cache.keys()]).toHaveLength(held.length);
          expect(cache.size).toBeLessThanOrEqual(budget);
        }
      }),
    );
  });

  it('is not flushed by a walk over everything, however long', () => {
    const cache = cacheOf(1_000);
    const used = Array.from({ length: 60 }, (_, n) => `used ${n}`);
    for (const key of used) cache.set(key, bytes(10));
    for (const key of used) cache.get(key);
    for (let n = 0; n < 5_000; n++) cache.set(`walk ${n}`, bytes(10));
    expect(used.filter((key) => cache.peek(key))).toEqual(used);
    expect(cache.peek('walk 4999')).toBeDefined();
  });

  it('lets go in time of what is used no more', () => {
    const cache = cacheOf(1_000);
    const use = (name: string) => {
      for (let round = 0; round < 3; round++) {
        for (let n = 0; n < 80; n++) {
          const key = `${name} ${n}`;
          if (!cache.get(key)) cache.set(key, bytes(10));
        }
      }
    };
    use('before');
    for (let time = 0; time < 10; time++) use('now');
    const heldOf = (name: string) =>
      Array.from({ length: 80 }, (_, n) => `${name} ${n}`).filter((key) => cache.peek(key)).length;
    expect(heldOf('now')).toBe(80);
    expect(heldOf('before')).toBeLessThanOrEqual(20);
  });

  it('keeps what was used lately before what came later', () => {
    const cache = cacheOf(100);
    const keep = (key: string) => {
      cache.set(key, bytes(10));
      cache.get(key);
    };
    for (let n = 0; n < 11; n++) keep(String(n));
    cache.get('1');
    keep('11');
    expect(['1', '2', '3'].map((key) => cache.peek(key) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('drops what a smaller budget has no room for, first what was not used again', () => {
    const cache = cacheOf(100);
    for (let n = 0; n < 10; n++) cache.set(String(n), bytes(10));
    for (const key of ['1', '4', '7']) cache.get(key);
    cache.resize(30);
    expect(cache.size).toBe(30);
    for (const key of ['1', '4', '7']) expect(cache.peek(key)).toBeDefined();
    cache.resize(0);
    expect([cache.size, [...cache.keys()]]).toEqual([0, []]);
    cache.set('late', bytes(1));
    expect(cache.peek('late')).toBeUndefined();
  });

  it('a look at a value does not count as a use', () => {
    const cache = cacheOf(100);
    cache.set('asked', bytes(10));
    for (let n = 0; n < 20; n++) {
      cache.peek('asked');
      cache.set(`other ${n}`, bytes(10));
    }
    expect(cache.peek('asked')).toBeUndefined();
  });

  it('takes a value as large as the budget, and none that is larger', () => {
    const cache = cacheOf(100);
    cache.set('small', bytes(10));
    cache.set('large', bytes(101));
    expect(cache.peek('large')).toBeUndefined();
    expect(cache.peek('small')).toBeDefined();
    cache.set('whole', bytes(100));
    expect(cache.get('whole')).toHaveLength(100);
    // A value that cannot be kept does not leave the old one of its key behind.
    cache.set('whole', bytes(101));
    expect(cache.size).toBe(0);
  });
});
