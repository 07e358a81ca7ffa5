/** A cache within a budget of bytes, which keeps what is used again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BudgetCache } from '../../src/cache/budget-cache.ts';

const bytes = (length: number) => new Uint8Array(length);
const cacheOf = (budget: number) => new BudgetCache<Uint8Array>(budget, (v) => v.length);

type Cache = ReturnType<typeof cacheOf>;

/** So many keys of one kind. */
const keysOf = (kind: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${kind} ${number}`);

/** Puts a value of ten bytes below each key. */
function setAll(cache: Cache, keys: readonly string[]): void {
  for (const key of keys) cache.set(key, bytes(10));
}

const heldOf = (cache: Cache, keys: readonly string[]) =>
  keys.filter((key) => cache.peek(key) !== undefined);

describe('budget cache', () => {
  it('never holds more than its budget, and only what was put in', () => {
    const action = fc.constantFrom('set', 'get', 'delete', 'resize');
    const step = fc.tuple(fc.nat(20), fc.nat(110), action);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let budget = 100;
        const cache = cacheOf(budget);
        const last = new Map<string, Uint8Array>();
        for (const [number, size, action] of steps) {
          const key = String(number);
          if (action === 'set') {
            last.set(key, bytes(size));
            cache.set(key, last.get(key) as Uint8Array);
          } else if (action === 'get') {
            expect([undefined, last.get(key)]).toContain(cache.get(key));
          } else if (action === 'delete') {
            cache.delete(key);
            expect(cache.peek(key)).toBeUndefined();
          } else {
            budget = size;
            cache.resize(budget);
          }
          const held = heldOf(cache, [...last.keys()]);
          const sizes = held.map((each) => cache.peek(each)?.length ?? 0);
          for (const each of held) expect(cache.peek(each)).toBe(last.get(each));
          expect(cache.size).toBe(sizes.reduce((sum, each) => sum + each, 0));
          expect([...cache.keys()]).toHaveLength(held.length);
          expect(cache.size).toBeLessThanOrEqual(budget);
        }
      }),
    );
  });

  it('is not flushed by a walk over everything, however long', () => {
    const cache = cacheOf(1_000);
    const used = keysOf('used', 60);
    setAll(cache, used);
    for (const key of used) cache.get(key);
    setAll(cache, keysOf('walk', 5_000));
    expect(heldOf(cache, used)).toEqual(used);
    expect(cache.peek('walk 4999')).toBeDefined();
  });

  it('keeps what was used lately before what came later', () => {
    const cache = cacheOf(100);
    const keys = keysOf('kept', 12);
    for (const [index, key] of keys.entries()) {
      if (index === 11) cache.get('kept 1');
      setAll(cache, [key]);
      cache.get(key);
    }
    expect(heldOf(cache, keys.slice(1, 4))).toEqual(['kept 1', 'kept 3']);
  });

  it('drops what a smaller budget has no room for, first what was not used again', () => {
    const cache = cacheOf(100);
    const keys = keysOf('kept', 10);
    setAll(cache, keys);
    const used = keys.filter((key) => /[147]/.test(key));
    for (const key of used) cache.get(key);
    cache.resize(30);
    expect(heldOf(cache, keys)).toEqual(used);
    cache.resize(0);
    cache.set('late', bytes(1));
    expect([cache.size, [...cache.keys()]]).toEqual([0, []]);
  });

  it('takes a value as large as the budget, and leaves others alone for one that is larger', () => {
    const cache = cacheOf(100);
    cache.set('small', bytes(10));
    cache.set('large', bytes(101));
    expect(cache.peek('small')).toBeDefined();
    cache.set('whole', bytes(100));
    expect(cache.get('whole')).toHaveLength(100);
  });
});
