/** How names rank where no language is asked for, and how keys put stores in order, against the built-in sort. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scratch } from '../../src/query/scratch.ts';
import { type OrderKey, orderStores } from '../../src/query/sort-order.ts';

describe('names without a language', () => {
  it('are ranked alike on a machine of any locale', () => {
    const ranks = new URL('../../scripts/compile/rank-stores.ts', import.meta.url);
    const script = `
      const { rankStores } = await import(${JSON.stringify(ranks.href)});
      const stores = ['nz', 'ña'].map((name) => ({ name }));
      const columns = [...rankStores(stores)];
      const [, ranks] = columns.find(([{ name }]) => name === 'rank/name/root');
      console.log(JSON.stringify([...ranks]));
    `;
    for (const locale of ['en_US.UTF-8', 'es_ES.UTF-8']) {
      const env = { ...process.env, LC_ALL: locale };
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env });
      // Spanish alone puts ñ after n; the root collation sees an n with an accent.
      expect(JSON.parse(output.toString())).toEqual([2, 1]);
    }
  });
});

describe('an order', () => {
  it('is that of a sort by all keys, and then by ordinal', () => {
    const rank = fc.integer({ min: 0, max: 4 });
    const store = fc.record({ one: rank, other: rank, number: rank });
    const key = fc.record({
      column: fc.constantFrom('one', 'other', 'number', 'ordinal'),
      descending: fc.boolean(),
    });
    const scratch = new Scratch();
    fc.assert(
      fc.property(
        fc.array(store, { maxLength: 60 }),
        fc.uniqueArray(key, { maxLength: 4, selector: ({ column }) => column }),
        (all, asked) => {
          // As in queries, nothing comes after the ordinal.
          const last = asked.findIndex(({ column }) => column === 'ordinal');
          const keys = last < 0 ? asked : asked.slice(0, last + 1);
          const ranks = (name: 'one' | 'other') => {
            return { ranks: Uint32Array.from(all, (each) => each[name]), highest: 4 };
          };
          const columns: Readonly<Record<string, OrderKey['by']>> = {
            one: ranks('one'),
            other: ranks('other'),
            number: Float64Array.from(all, ({ number }) => number / 2),
            ordinal: null,
          };
          const order = keys.map(({ column, descending }): OrderKey => {
            return { by: columns[column] ?? null, descending };
          });
          const stores = Uint32Array.from(all.keys()).filter((each) => each % 3 > 0);
          const expected = [...stores].sort((a, b) => {
            for (const { column, descending } of keys) {
              const difference = compareIn(column, all, descending, a, b);
              if (difference !== 0) return difference;
            }
            return a - b;
          });
          expect([...orderStores(stores, order, scratch)]).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function compareIn(
  column: string,
  all: readonly Readonly<Record<string, number>>[],
  descending: boolean,
  a: number,
  b: number,
): number {
  const [left, right] = [a, b].map((store) => all[store]?.[column] ?? store) as [number, number];
  const difference = descending ? right - left : left - right;
  if (column !== 'one' && column !== 'other') return difference;
  // Missing values come last.
  return Number(left === 0) - Number(right === 0) || difference;
}
