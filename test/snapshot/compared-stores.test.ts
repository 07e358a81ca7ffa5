/** What `changes` compares of a release: how it is written and read, and what a comparison finds. */
import { describe, expect, it } from 'vitest';
import { compareReleases } from '../../src/query/compare-releases.ts';
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
