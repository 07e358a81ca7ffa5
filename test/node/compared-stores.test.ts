/** What `changes` compares of a release: how it is written and read, and what a comparison finds. */
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../src/hash.ts';
import { compareReleases } from '../../src/query/compare-releases.ts';
import {
  COMPARED_STORES_PART,
  ComparedSlugs,
  type ComparedStore,
  ComparedStores,
  comparedSlugsPart,
  SLUGS_PER_PART,
  slugsIn,
  writeComparedStores,
} from '../../src/snapshot/compared-stores.ts';
import { IdTable, writeIdTable } from '../../src/snapshot/id-table.ts';
import { casesOf, compareIds, copyIdText, ID_DIGITS } from '../../src/snapshot/id-text.ts';
import { COMPARISON_VERSION } from '../../src/snapshot/keys.ts';

const MIXED = [
  '00000000000000000000000A',
  '00000000000000000000000b',
  '0000000000000000000000A0',
  '0000000000000000000000F0',
  '0000000000000000000000a1',
  'ABCDEFABCDEFABCDEFABCDEF',
  'aBCDEFABCDEFABCDEFABCDEF',
  'abcdefabcdefabcdefabcdef',
];

const decoder = new TextDecoder();

function read(stores: readonly ComparedStore[]): ComparedStores {
  const part = writeComparedStores(stores).get(COMPARED_STORES_PART) as Uint8Array<ArrayBuffer>;
  return new ComparedStores(part.buffer, stores.length);
}

function place(id: string) {
  return { bytes: fromHex(id), start: 0, cases: casesOf(id) };
}

function store(id: string, answers = 1n): ComparedStore {
  return { id, slug: `slug-${id}`, answers };
}

describe('ids as texts', () => {
  it('compare by code unit', () => {
    for (const a of MIXED) {
      for (const b of MIXED) {
        const expected = a < b ? -1 : Number(a > b);
        expect(Math.sign(compareIds(place(a), place(b))), `${a} ${b}`).toBe(expected);
      }
    }
  });

  it('are written as they were', () => {
    for (const id of MIXED) {
      const text = new Uint8Array(ID_DIGITS + 2);
      copyIdText(place(id), text, 1);
      expect(decoder.decode(text.subarray(1, -1))).toBe(id);
    }
  });

  it('are counted up to any text, in the order of the default list', () => {
    const ids = MIXED.filter((_, index) => index % 2 === 0 || index > 5).sort();
    const cases = Uint32Array.from(ids, casesOf);
    const table = new IdTable(writeIdTable(ids).buffer, ids.length);
    for (const after of [...MIXED, '0'.repeat(24), 'f'.repeat(24), 'F'.repeat(24)]) {
      const expected = ids.filter((id) => id <= after).length;
      expect(table.countUpTo(after, cases), after).toBe(expected);
    }
    const lower = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
    const plain = new IdTable(writeIdTable(lower).buffer, lower.length);
    for (const after of MIXED) {
      expect(plain.countUpTo(after, null)).toBe(lower.filter((id) => id <= after).length);
    }
  });
});

describe('a comparison', () => {
  const differences = (before: readonly ComparedStore[], after: readonly ComparedStore[]) => {
    const { kinds, stores } = compareReleases(read(before), read(after));
    return kinds.map((kind, index) => {
      const side = kind === 2 ? before : after;
      return ['added', 'changed', 'removed'][kind] + (side[stores[index] as number]?.id ?? '?');
    });
  };

  it('finds what was added, changed and removed, in the order of ids', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(24)) as [
      ...[string, string, string, string],
    ];
    expect(differences([], [])).toEqual([]);
    expect(differences([store(a)], [store(a)])).toEqual([]);
    expect(differences([], [store(a), store(b)])).toEqual([`added${a}`, `added${b}`]);
    expect(differences([store(a), store(b)], [])).toEqual([`removed${a}`, `removed${b}`]);
    expect(differences([store(a), store(b), store(d)], [store(b, 2n), store(c), store(d)])).toEqual(
      [...[`removed${a}`, `changed${b}`, `added${c}`]],
    );
  });

  it('takes ids of another case for other stores, as a copy does', () => {
    const [lower, upper] = ['a'.repeat(24), 'A'.repeat(24)];
    expect(differences([store(lower)], [store(upper)])).toEqual([
      `added${upper}`,
      `removed${lower}`,
    ]);
    expect(differences([store(upper)], [store(lower)])).toEqual([
      `removed${upper}`,
      `added${lower}`,
    ]);
  });

  it('goes through many stores that are alike', () => {
    const ids = Array.from({ length: 1000 }, (_, number) => number.toString(16).padStart(24, '0'));
    const stores = ids.map((id) => store(id));
    for (const changed of [0, 127, 128, 129, 255, 256, 999]) {
      const after = stores.map((one, index) => (index === changed ? { ...one, answers: 9n } : one));
      expect(differences(stores, after)).toEqual([`changed${ids[changed]}`]);
      expect(differences(stores, stores.toSpliced(changed, 1))).toEqual([`removed${ids[changed]}`]);
      expect(differences(stores.toSpliced(changed, 1), stores)).toEqual([`added${ids[changed]}`]);
    }
  });
});

describe('slugs', () => {
  it('lie in parts of a fixed number of stores', () => {
    const count = SLUGS_PER_PART + 3;
    const stores = Array.from({ length: count }, (_, number) => ({
      id: number.toString(16).padStart(24, '0'),
      slug: `${number}-é`,
      answers: BigInt(number),
    }));
    const parts = writeComparedStores(stores);
    expect([...parts.keys()]).toEqual([COMPARED_STORES_PART, ...[0, 1].map(comparedSlugsPart)]);
    for (const number of [0, SLUGS_PER_PART - 1, SLUGS_PER_PART, count - 1]) {
      const part = Math.floor(number / SLUGS_PER_PART);
      const bytes = parts.get(comparedSlugsPart(part)) as Uint8Array<ArrayBuffer>;
      const slugs = new ComparedSlugs(bytes.buffer, slugsIn(part, count));
      expect(decoder.decode(slugs.slug(number % SLUGS_PER_PART))).toBe(stores[number]?.slug);
    }
  });

  it('are not read from a part of another number of stores, nor a damaged one', () => {
    const parts = writeComparedStores([store('a'.repeat(24)), store('b'.repeat(24))]);
    const bytes = parts.get(comparedSlugsPart(0)) as Uint8Array<ArrayBuffer>;
    expect(() => new ComparedSlugs(bytes.buffer, 3)).toThrow('length');
    const damaged = bytes.slice();
    new DataView(damaged.buffer).setUint32(32 + 4, 1000, true);
    expect(() => new ComparedSlugs(damaged.buffer, 2).slug(1)).toThrow('slug 1 is damaged');
  });
});

describe('the parts', () => {
  it('have a version of their own', () => {
    const parts = writeComparedStores([store('a'.repeat(24))]);
    for (const bytes of parts.values()) {
      expect(new DataView(bytes.buffer).getUint16(4, true)).toBe(COMPARISON_VERSION);
      new DataView(bytes.buffer).setUint16(4, COMPARISON_VERSION + 1, true);
    }
    const part = parts.get(COMPARED_STORES_PART) as Uint8Array<ArrayBuffer>;
    expect(() => new ComparedStores(part.buffer, 1)).toThrow(
      `got format version ${COMPARISON_VERSION + 1}, expected ${COMPARISON_VERSION}`,
    );
  });

  it('are refused when they hold another number of stores', () => {
    const part = writeComparedStores([store('a'.repeat(24))]).get(COMPARED_STORES_PART);
    expect(() => new ComparedStores((part as Uint8Array<ArrayBuffer>).buffer, 2)).toThrow('length');
  });
});
