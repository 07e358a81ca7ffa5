/** How names rank where no language is asked for, and the selection of a page against the built-in sort. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectSmallest } from '../../src/query/sort-order.ts';

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
