/** Ranks, counting sorts and page selection against the built-in sort. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantKey, rankValues } from '../../scripts/compile/rank-stores.ts';
import { orderByRanks, selectSmallest } from '../../src/query/sort-order.ts';

const value = fc.option(fc.integer({ min: 0, max: 5 }), { nil: null });

describe('ranks', () => {
  it('are dense, shared by equals, and 0 for what is missing', () => {
    const ranks = rankValues(['b', null, 'a', 'b', 'c', null]);
    expect([...ranks]).toEqual([2, 0, 1, 2, 3, 0]);
  });

  it('compare instants whatever their offset and precision', () => {
    const ordered = [
      '2020-01-01T00:00:00.0001Z',
      '2020-01-01T01:00:00.000100+01:00',
      '2020-01-01T00:00:00.00011Z',
      '2020-01-01T00:00:00.001Z',
      '2019-12-31T23:59:00-01:00',
    ].map(instantKey);
    expect([...rankValues(ordered)]).toEqual([1, 1, 2, 3, 4]);
  });
});

describe('names without a language', () => {
  it('are ranked alike on a machine of any locale', () => {
    const ranks = new URL('../../scripts/compile/rank-stores.ts', import.meta.url);
    const script = `
      const { rankStores } = await import(${JSON.stringify(ranks.href)});
      const stores = ['nz', 'ña'].map((name) => ({ name, createdAt: '2020-01-01T00:00:00Z' }));
      console.log(JSON.stringify([...rankStores(stores).get('rank/name/root')]));
    `;
    for (const locale of ['en_US.UTF-8', 'es_ES.UTF-8']) {
      const env = { ...process.env, LC_ALL: locale };
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env });
      // Spanish alone puts ñ after n; the root collation sees an n with an accent.
      expect(JSON.parse(output.toString())).toEqual([2, 1]);
    }
  });
});

describe('order by ranks', () => {
  it('is the stable sort by all keys, missing last both ways, ties by ordinal', () => {
    const rows = fc.array(fc.tuple(value, value), { maxLength: 60 });
    fc.assert(
      fc.property(rows, fc.boolean(), fc.boolean(), (stores, firstDown, secondDown) => {
        const keys = [firstDown, secondDown].map((descending, key) => {
          const ranks = rankValues(stores.map((store) => store[key] ?? null));
          return { ranks: { ranks, highest: Math.max(0, ...ranks) }, descending };
        });
        const all = Uint32Array.from(stores.keys());
        const expected = [...stores.keys()].sort(
          (a, b) =>
            compareValues(stores[a]?.[0] ?? null, stores[b]?.[0] ?? null, firstDown) ||
            compareValues(stores[a]?.[1] ?? null, stores[b]?.[1] ?? null, secondDown) ||
            a - b,
        );
        expect([...orderByRanks(all, keys)]).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('select smallest', () => {
  it('is the start of the whole sort', () => {
    const numbers = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 });
    fc.assert(
      fc.property(numbers, fc.nat(320), (items, count) => {
        const compare = (a: number, b: number) =>
          (items[a] as number) - (items[b] as number) || a - b;
        const expected = [...items.keys()].sort(compare).slice(0, count);
        const all = Uint32Array.from(items.keys());
        expect([...selectSmallest(all, count, compare)]).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

function compareValues(a: number | null, b: number | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return descending ? b - a : a - b;
}
