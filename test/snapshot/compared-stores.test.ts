/** What `changes` compares of a release: how it is written and read, and what a comparison finds. */
import { describe, expect, it } from 'vitest';
import { compareReleases } from '../../src/query/compare-releases.ts';
import { StoreChanges } from '../../src/query/store-changes.ts';
import {
  type ComparedStore,
  ComparedStores,
  writeComparedStores,
} from '../../src/snapshot/compared-stores.ts';
import { readIdTable, writeIdTable } from '../../src/snapshot/id-table.ts';

/** In the order of their values. */
const MIXED = [
  '00000000000000000000000A',
  '00000000000000000000000b',
  '0000000000000000000000A0',
  '0000000000000000000000a1',
  '0000000000000000000000F0',
  '0aBCDEFABCDEFABCDEFABCDE',
  'ABCDEFABCDEFABCDEFABCDEF',
];

function read(stores: readonly ComparedStore[]): ComparedStores {
  const ids = readIdTable(writeIdTable(stores.map(({ id }) => id)).buffer, stores.length);
  return new ComparedStores(writeComparedStores(stores).buffer, ids);
}

function store(id: string, answers = 1): ComparedStore {
  const fingerprint = new Uint8Array(8);
  new DataView(fingerprint.buffer).setUint32(0, answers);
  fingerprint.set(new TextEncoder().encode(id.slice(-4)), 4);
  return { id, slug: `slug-${id}-é`, fingerprint };
}

const ALL = { after: null, skip: 0, limit: 1000 };

describe('ids', () => {
  it('are counted up to any other by their values, whatever the case', () => {
    const ids = MIXED.filter((_, index) => index % 2 === 0);
    const table = readIdTable(writeIdTable(ids).buffer, ids.length);
    for (const after of [...MIXED, '0'.repeat(24), 'f'.repeat(24)]) {
      const expected = ids.filter((id) => id.toLowerCase() <= after.toLowerCase()).length;
      for (const text of [after, after.toLowerCase(), after.toUpperCase()]) {
        expect(table.countUpTo(text), text).toBe(expected);
      }
    }
  });
});

describe('names', () => {
  it('are those of the export, also of ids in upper case', () => {
    const { names } = read(MIXED.map((id) => store(id)));
    expect(MIXED.map((_, place) => names.name(place))).toEqual(
      MIXED.map((id) => ({ id, slug: `slug-${id}-é` })),
    );
  });

  it('cost nothing but the slug where the id is in lower case', () => {
    const [lower, upper] = ['abcdef'.repeat(4), 'ABCDEF'.repeat(4)].map((id) => {
      return writeComparedStores([{ ...store(id), slug: 'x' }]).length;
    }) as [number, number];
    expect(upper - lower).toBe(24);
  });
});

describe('a comparison', () => {
  const differences = (before: readonly ComparedStore[], after: readonly ComparedStore[]) =>
    compareReleases(read(before), read(after)).map(({ before: old, after: next }) => {
      if (old === null) return `added${after[next as number]?.id}`;
      return next === null ? `removed${before[old]?.id}` : `changed${after[next]?.id}`;
    });

  it('finds what was added, changed and removed, in the order of ids', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(24)) as [
      ...[string, string, string, string],
    ];
    expect(differences([], [])).toEqual([]);
    expect(differences([store(a)], [store(a)])).toEqual([]);
    expect(differences([], [store(a), store(b)])).toEqual([`added${a}`, `added${b}`]);
    expect(differences([store(a), store(b)], [])).toEqual([`removed${a}`, `removed${b}`]);
    expect(differences([store(a), store(b), store(d)], [store(b, 2), store(c), store(d)])).toEqual([
      ...[`removed${a}`, `changed${b}`, `added${c}`],
    ]);
  });

  it('takes an id in another case for the same store, whose answers have changed', () => {
    const [lower, upper] = ['a'.repeat(24), 'A'.repeat(24)];
    expect(differences([store(lower)], [store(upper)])).toEqual([`changed${upper}`]);
    expect(differences([store(upper)], [store(lower)])).toEqual([`changed${lower}`]);
  });

  it('goes through many stores that are alike', () => {
    const ids = Array.from({ length: 1000 }, (_, number) => number.toString(16).padStart(24, '0'));
    const stores = ids.map((id) => store(id));
    for (const changed of [0, 127, 128, 129, 255, 256, 999]) {
      const after = stores.with(changed, store(ids[changed] as string, 9));
      expect(differences(stores, after)).toEqual([`changed${ids[changed]}`]);
      expect(differences(stores, stores.toSpliced(changed, 1))).toEqual([`removed${ids[changed]}`]);
      expect(differences(stores.toSpliced(changed, 1), stores)).toEqual([`added${ids[changed]}`]);
    }
  });
});

describe('changes', () => {
  const before = MIXED.slice(0, 5).map((id) => store(id));
  const after = MIXED.slice(2).map((id) => store(id, 2));
  const changes = StoreChanges.between(read(before), read(after));
  const kinds = ['removed', 'removed', 'changed', 'changed', 'changed', 'added', 'added'];

  it('name each store as the export writes it, a removed one as it was', () => {
    expect(changes.total).toBe(MIXED.length);
    expect(changes.page(ALL).docs).toEqual(
      MIXED.map((id, place) => ({ id, slug: `slug-${id}-é`, change: kinds[place] })),
    );
  });

  it('go on after an id in any case', () => {
    MIXED.forEach((id, place) => {
      for (const text of [id, id.toLowerCase(), id.toUpperCase()]) {
        const { docs } = changes.page({ ...ALL, after: text });
        expect(docs.map((doc) => doc.id)).toEqual(MIXED.slice(place + 1));
      }
    });
  });
});

describe('the part', () => {
  const two = [store('a'.repeat(24)), store('b'.repeat(24))];

  it('is refused when it holds another number of stores', () => {
    const ids = readIdTable(writeIdTable(['a'.repeat(24)]).buffer, 1);
    expect(() => new ComparedStores(writeComparedStores(two).buffer, ids)).toThrow('length');
  });

  it('is refused when a name ends before it starts', () => {
    const part = writeComparedStores(two);
    // The sections start behind a header of 16 bytes and a table of three times 8.
    new DataView(part.buffer).setUint32(40 + 16, 1000, true);
    const ids = readIdTable(writeIdTable(two.map(({ id }) => id)).buffer, 2);
    const { names } = new ComparedStores(part.buffer, ids);
    expect(() => names.name(1)).toThrow('the name of store 1 is damaged');
  });
});
