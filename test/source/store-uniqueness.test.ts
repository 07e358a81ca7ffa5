/** Faults between stores: ids and slugs that several have, and whose fault that is. */
import { describe, expect, it } from 'vitest';
import { ndjson, storeWith, validate } from '../support/faulty-sources.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

describe('a fault between stores', () => {
  it('is an id used again in whatever case', async () => {
    const again = storeWith(2, { id: storeId(1).toUpperCase() });
    const { good, faults } = await validate(ndjson([buildStore(1), buildStore(3), again]));
    expect(faults).toMatchObject([
      { kind: 'duplicate_id', line: 3, path: 'id', value: `"${storeId(1).toUpperCase()}"` },
    ]);
    expect(good.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('is a slug used again in the same case', async () => {
    const stores = [
      buildStore(1),
      storeWith(2, { slug: 'store-1' }),
      storeWith(3, { slug: 'STORE-1' }),
      storeWith(4, { slug: 'store-1' }),
    ];
    const { faults } = await validate(
      `[\n${stores.map((store) => JSON.stringify(store)).join(',\n')}\n]`,
    );
    expect(faults).toEqual(
      [3, 5].map((line) => ({
        kind: 'duplicate_slug',
        line,
        element: line - 1,
        store: storeId(line - 1),
        path: 'slug',
        value: '"store-1"',
        message: 'expected a slug of its own: element 1 has it already',
      })),
    );
  });

  it('is not the fault of a good store, whichever of the two comes first', async () => {
    const faulty = storeWith(1, { 'profile.name': 1 });
    const told = async (stores: readonly unknown[]) => {
      const { good, faults } = await validate(ndjson(stores));
      const told = faults.map(({ line, store, kind, message }) => {
        expect(store).toBe(storeId(1));
        return `${line} ${kind}: ${message}`;
      });
      return { good: good.map(({ line }) => line), told };
    };
    expect(await told([faulty, buildStore(1)])).toEqual({
      good: [2],
      told: [
        '1 wrong_type: expected a string, in quotes',
        '1 duplicate_id: expected an id of its own: line 2 has it too',
        '1 duplicate_slug: expected a slug of its own: line 2 has it too',
      ],
    });
    expect(await told([buildStore(1), faulty])).toEqual({
      good: [1],
      told: [
        '2 wrong_type: expected a string, in quotes',
        '2 duplicate_id: expected an id of its own: line 1 has it already',
        '2 duplicate_slug: expected a slug of its own: line 1 has it already',
      ],
    });
    const { good, told: all } = await told([faulty, faulty, buildStore(1), buildStore(1)]);
    expect(good).toEqual([3]);
    expect(all.filter((text) => text.includes('duplicate_id'))).toEqual([
      '2 duplicate_id: expected an id of its own: line 1 has it already',
      '1 duplicate_id: expected an id of its own: line 3 has it too',
      '4 duplicate_id: expected an id of its own: line 3 has it already',
    ]);
  });

  it('of a slug is one between a good store and what shares its id', async () => {
    const { good, faults } = await validate(
      ndjson([buildStore(1), storeWith(1, { slug: 'x' }), storeWith(2, { slug: 'x' })]),
    );
    expect(good.map(({ line }) => line)).toEqual([1, 3]);
    expect(faults.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '2 duplicate_id',
      '2 duplicate_slug',
    ]);
  });

  it('is not made of ids and slugs that are none', async () => {
    const stores = [storeWith(1, { id: 'x', slug: 'a b' }), storeWith(2, { id: 'x', slug: 'a b' })];
    const { faults } = await validate(ndjson(stores));
    expect(faults.map(({ kind }) => kind)).toEqual(Array(4).fill('bad_format'));
  });
});
