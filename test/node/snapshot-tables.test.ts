/** The index parts as bytes: round trips, damage, and versions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeColumnFile } from '../../src/snapshot/column-file.ts';
import { compareUtf8 } from '../../src/snapshot/compare-utf8.ts';
import { SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { IdTable, writeIdTable } from '../../src/snapshot/id-table.ts';
import { PlaceTable, writePlaces } from '../../src/snapshot/place-table.ts';
import { readRankColumn, writeRankColumn } from '../../src/snapshot/rank-column.ts';
import { SlugTable, writeSlugTable } from '../../src/snapshot/slug-table.ts';
import { type StoreRow, StoreTable, writeStoreTable } from '../../src/snapshot/store-table.ts';

const CHUNKS = [
  { hash: 'ab'.repeat(32), bytes: 400 },
  { hash: '01'.repeat(32), bytes: 100 },
];

const row = (chunk: number, offset: number): StoreRow => ({
  verticales: 5,
  record: { chunk, offset, length: 100 },
});

const ROWS = [row(0, 0), row(0, 100), row(1, 0), row(0, 300)];

const IDS = [
  '000000000000000000000001',
  '0000000000000000000000ff',
  '5f0000000000000000000000',
  'ffffffffffffffffffffffff',
];

const SLUGS = ['zürich', 'Annecy', '🚲', '\uffee'];

const storesPart = (): Uint8Array<ArrayBuffer> => writeStoreTable(ROWS, CHUNKS);

const PLACES = [
  { store: 0, number: 0, lat: 48.1, lng: 2.2 },
  { store: 2, number: 0, lat: -90, lng: 180 },
  { store: 2, number: 1, lat: 48.1, lng: 2.2 },
];

describe('store table', () => {
  it('keeps addresses, masks and chunk hashes', () => {
    const table = new StoreTable(storesPart().buffer);
    expect([...table.recordChunk]).toEqual([0, 0, 1, 0]);
    expect([...table.recordOffset]).toEqual([0, 100, 0, 300]);
    expect([...table.verticales]).toEqual([5, 5, 5, 5]);
    expect([0, 1].map((chunk) => table.chunkHash(chunk))).toEqual(CHUNKS.map(({ hash }) => hash));
    expect([...table.chunkLength]).toEqual([400, 100]);
  });

  it('ranks by id as it numbers', () => {
    expect([...new StoreTable(storesPart().buffer).idRanks().ranks]).toEqual([1, 2, 3, 4]);
  });
});

describe('id table', () => {
  const read = (ids: readonly string[]) => new IdTable(writeIdTable(ids).buffer, ids.length);

  it('finds every store by id in any case', () => {
    const table = read(IDS);
    IDS.forEach((id, ordinal) => {
      expect(table.find(id)).toBe(ordinal);
      expect(table.find(id.toUpperCase())).toBe(ordinal);
      expect(table.id(ordinal)).toBe(id);
    });
    expect(table.find('000000000000000000000002')).toBeNull();
  });

  it('finds ids that are written in both cases, ordered by code unit', () => {
    const ids = ['A', 'b', 'c', 'D'].map((id) => id.padEnd(24, '0'));
    const ordered = [...ids].sort();
    const table = read(ordered);
    for (const [ordinal, id] of ordered.entries()) {
      expect(table.find(id)).toBe(ordinal);
      expect(table.find(id.toLowerCase())).toBe(ordinal);
    }
    expect(ordered.map(([first]) => first)).toEqual(['A', 'D', 'b', 'c']);
  });

  it.each([0, 1, 2, 3, 20_000])('searches %i ids', (count) => {
    const idOf = (n: number) => (n * 7).toString(16).padStart(24, '0');
    const table = read(Array.from({ length: count }, (_, n) => idOf(n)));
    for (const n of [0, 1, count - 1, count >> 1].filter((n) => n >= 0 && n < count)) {
      expect(table.find(idOf(n))).toBe(n);
    }
    expect(table.find((count * 7 + 1).toString(16).padStart(24, '0'))).toBeNull();
  });
});

describe('slug table', () => {
  const read = (slugs: readonly string[]) =>
    new SlugTable(writeSlugTable(slugs).buffer, slugs.length);

  it('finds every store by exactly its slug', () => {
    const table = read(SLUGS);
    SLUGS.forEach((slug, ordinal) => {
      expect(table.find(slug)).toBe(ordinal);
      expect(table.slug(ordinal)).toBe(slug);
    });
    for (const slug of ['', 'annecy', 'Annecy ', 'zurich', '\u{10ffff}']) {
      expect(table.find(slug)).toBeNull();
    }
  });

  it('ranks by UTF-16 code unit', () => {
    const expected = SLUGS.map((slug) => [...SLUGS].sort().indexOf(slug) + 1);
    expect([...read(SLUGS).ranks().ranks]).toEqual(expected);
  });

  it.each([0, 1, 2, 3, 20_000])('searches %i slugs', (count) => {
    const table = read(Array.from({ length: count }, (_, n) => `store-${n}`));
    for (const n of [0, 1, count - 1, count >> 1].filter((n) => n >= 0 && n < count)) {
      expect(table.find(`store-${n}`)).toBe(n);
    }
    expect(table.find(`store-${count}`)).toBeNull();
  });
});

describe('order of UTF-8', () => {
  it('is the order of code units', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 4 });
    const edges = fc.constantFrom('\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}', 'a', '');
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(fc.oneof(text, edges), fc.oneof(text, edges), text, (a, b, prefix) => {
        const [left, right] = [prefix + a, prefix + b];
        const bytes = encoder.encode(left);
        const order = compareUtf8(bytes, 0, bytes.length, encoder.encode(right));
        expect(Math.sign(order)).toBe(left < right ? -1 : Number(left > right));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('damage', () => {
  const read = (bytes: Uint8Array<ArrayBuffer>) => new StoreTable(bytes.buffer);
  const patched = (offset: number, ...values: number[]) => {
    const bytes = storesPart();
    bytes.set(values, offset);
    return bytes;
  };

  it('is reported with what was got and what was expected', () => {
    expect(() => read(patched(0, 0x58))).toThrow(
      'stores magic: got 1128551256, expected 1128551250',
    );
    expect(() => read(patched(6, 9))).toThrow('stores sections: got 9, expected 6');
    const length = storesPart().length;
    expect(() => read(storesPart().slice(0, -8))).toThrow(
      `stores length: got ${length - 8}, expected ${length}`,
    );
    expect(() => read(new Uint8Array(3))).toThrow('stores: got 3 bytes, expected at least 16');
  });

  it('of a newer or older version says what to do', () => {
    expect(() => read(patched(4, 3))).toThrow(
      'stores: got format version 3, expected 2; deploy a Worker that reads this version before publishing with it',
    );
    expect(() => read(patched(4, 1))).toThrow(
      'stores: got format version 1, expected 2; publish again with the current command-line tool',
    );
  });

  it('of records out of bounds is refused', () => {
    const outside = [{ ...ROWS[0], record: { chunk: 2, offset: 0, length: 4 } }] as StoreRow[];
    expect(() => read(writeStoreTable(outside, CHUNKS))).toThrow('record 0 lies outside');
    const beyond = [{ ...ROWS[0], record: { chunk: 1, offset: 4, length: 100 } }] as StoreRow[];
    expect(() => read(writeStoreTable(beyond, CHUNKS))).toThrow('record 0 lies outside');
  });

  it('of any byte never ends in anything but a format error', () => {
    const parts = writePlaces(PLACES);
    const readers: [Uint8Array<ArrayBuffer>, (bytes: Uint8Array<ArrayBuffer>) => unknown][] = [
      [storesPart(), read],
      [writeIdTable(IDS), (bytes) => new IdTable(bytes.buffer, IDS.length)],
      [writeSlugTable(SLUGS), (bytes) => new SlugTable(bytes.buffer, SLUGS.length)],
      [parts.places, (bytes) => new PlaceTable(bytes.buffer, parts.tree.slice().buffer, 3)],
      [parts.tree, (bytes) => new PlaceTable(parts.places.slice().buffer, bytes.buffer, 3)],
      [
        writeRankColumn(Uint32Array.of(1, 0, 2)),
        (bytes) => readRankColumn('rank', bytes.buffer, 3),
      ],
    ];
    for (const [part, open] of readers) {
      fc.assert(
        fc.property(fc.nat(part.length - 1), fc.integer({ min: 1, max: 255 }), (offset, change) => {
          const damaged = part.slice();
          damaged[offset] = (damaged[offset] as number) ^ change;
          expectFormatErrorAtMost(() => open(damaged));
        }),
        { numRuns: 2000 },
      );
      for (let length = 0; length < part.length; length++) {
        expect(() => open(part.slice(0, length))).toThrow(SnapshotFormatError);
      }
    }
  });
});

describe('places', () => {
  it('are numbered by their position in the tree', () => {
    const { places, tree } = writePlaces(PLACES);
    const table = new PlaceTable(places.buffer, tree.buffer, 3);
    const read = [0, 1, 2].map((place) => ({
      store: table.store[place],
      number: table.number[place],
      lat: table.tree.coords[2 * place + 1],
      lng: table.tree.coords[2 * place],
    }));
    expect(read).toHaveLength(PLACES.length);
    expect(read).toEqual(expect.arrayContaining(PLACES));
  });

  it('may be none', () => {
    const { places, tree } = writePlaces([]);
    expect(new PlaceTable(places.buffer, tree.buffer, 0).tree.range(-180, -90, 180, 90)).toEqual(
      [],
    );
  });
});

describe('column file', () => {
  it('starts every section on a multiple of 8', () => {
    const file = writeColumnFile([new Uint8Array(3), new Uint16Array(1), new Uint8Array(0)]);
    const header = new DataView(file.buffer);
    const offsets = [0, 1, 2].map((section) => header.getUint32(16 + 8 * section, true));
    expect(offsets).toEqual([40, 48, 56]);
    expect(file.length).toBe(56);
  });
});

function expectFormatErrorAtMost(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotFormatError);
  }
}
