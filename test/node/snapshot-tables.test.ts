/** The index parts as bytes: round trips, damage, and versions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textHash } from '../../src/hash.ts';
import { Chunk, writeChunk } from '../../src/snapshot/chunk.ts';
import { ChunkTable, writeChunkTable } from '../../src/snapshot/chunk-table.ts';
import { writeColumnFile } from '../../src/snapshot/column-file.ts';
import { SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { IdTable, writeIdTable } from '../../src/snapshot/id-table.ts';
import { PlaceTable, writePlaces } from '../../src/snapshot/place-table.ts';
import {
  SlugTable,
  SlugTexts,
  writeSlugTable,
  writeSlugTexts,
} from '../../src/snapshot/slug-table.ts';
import {
  FingerprintColumn,
  readRankColumn,
  readVerticales,
  writeColumn,
} from '../../src/snapshot/store-columns.ts';

const CHUNKS = [
  { stores: 2, hash: 'ab'.repeat(16), bytes: 400 },
  { stores: 1, hash: '01'.repeat(16), bytes: 100 },
  { stores: 255, hash: 'cd'.repeat(16), bytes: 90_000 },
];
const STORE_COUNT = 258;

const IDS = [
  '000000000000000000000001',
  '0000000000000000000000ff',
  '5f0000000000000000000000',
  'ffffffffffffffffffffffff',
];

const SLUGS = ['zürich', 'Annecy', '🚲', '\uffee'];

const chunksPart = (): Uint8Array<ArrayBuffer> => writeChunkTable(CHUNKS);

const RECORDS = [12, 8, 400].map((length, index) => new Uint8Array(length).fill(index + 1));

const PLACES = [
  { store: 0, number: 0, lat: 48.1, lng: 2.2 },
  { store: 2, number: 0, lat: -90, lng: 180 },
  { store: 2, number: 1, lat: 48.1, lng: 2.2 },
];

describe('chunk table', () => {
  const read = (chunks: typeof CHUNKS, storeCount: number) =>
    new ChunkTable(writeChunkTable(chunks).buffer, storeCount);

  it('keeps lengths and hashes', () => {
    const table = read(CHUNKS, STORE_COUNT);
    expect([0, 1, 2].map((chunk) => table.hash(chunk))).toEqual(CHUNKS.map(({ hash }) => hash));
    expect([...table.lengths]).toEqual([400, 100, 90_000]);
    expect([0, 1, 2].map((chunk) => table.storesIn(chunk))).toEqual([2, 1, 255]);
  });

  it('finds the chunk of every store', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 60 }),
        (counts) => {
          const chunks = counts.map((stores) => ({ stores, hash: 'ef'.repeat(16), bytes: 4 }));
          const expected = counts.flatMap((count, chunk) => new Array(count).fill(chunk));
          const table = read(chunks, expected.length);
          expect(expected.map((_, store) => table.chunkOf(store))).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may be empty', () => {
    expect(read([], 0).chunkCount).toBe(0);
  });

  it('is refused when it does not hold all stores, or has a chunk without any', () => {
    expect(() => read(CHUNKS, 259)).toThrow('chunks stores: got 258, expected 259');
    const empty = [...CHUNKS, { stores: 0, hash: 'ef'.repeat(16), bytes: 4 }];
    expect(() => read(empty, STORE_COUNT)).toThrow('chunks: chunk 3 holds no store');
  });
});

describe('chunk', () => {
  it('says where its records start', () => {
    const chunk = new Chunk(writeChunk(RECORDS).buffer, 3);
    const starts = [0, 1, 2].map((record) => chunk.recordStart(record));
    expect(starts).toEqual([16, 28, 36]);
    expect(starts.map((start) => chunk.bytes[start])).toEqual([1, 2, 3]);
    expect(chunk.bytes).toHaveLength(436);
  });

  it('is refused when it holds another number of records', () => {
    expect(() => new Chunk(writeChunk(RECORDS).buffer, 2)).toThrow(
      'chunk records: got 3, expected 2',
    );
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

  it('finds every store by its slug, and hardly ever another', () => {
    const table = read(SLUGS);
    SLUGS.forEach((slug, ordinal) => {
      expect(table.candidates(slug)).toEqual([ordinal]);
    });
    for (const slug of ['', 'annecy', 'Annecy ', 'zurich', '\u{10ffff}']) {
      expect(table.candidates(slug)).toEqual([]);
    }
  });

  it('names all stores whose slugs have one hash', () => {
    const [a, b] = collision();
    expect(textHash(a)).toBe(textHash(b));
    const table = read(['other', b, 'another', a]);
    expect(table.candidates(a)).toEqual([1, 3]);
    expect(table.candidates(b)).toEqual([1, 3]);
  });

  it.each([0, 1, 2, 3, 20_000])('searches %i slugs', (count) => {
    const table = read(Array.from({ length: count }, (_, n) => `store-${n}`));
    for (const n of [0, 1, count - 1, count >> 1].filter((n) => n >= 0 && n < count)) {
      expect(table.candidates(`store-${n}`)).toContain(n);
    }
    expect(table.candidates(`store-${count}`)).toEqual([]);
  });
});

describe('slug texts', () => {
  it('name every store', () => {
    const texts = new SlugTexts(writeSlugTexts(SLUGS).buffer, SLUGS.length);
    expect(SLUGS.map((_, ordinal) => texts.slug(ordinal))).toEqual(SLUGS);
  });
});

/** Two texts of one hash: a million texts have about a hundred such pairs. */
function collision(): [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; number < 1_000_000; number++) {
    const text = `${Math.imul(number, 0x9e3779b1)}${Math.imul(number, 0x85ebca6b)}`;
    const other = seen.get(textHash(text));
    if (other !== undefined) return [other, text];
    seen.set(textHash(text), text);
  }
  throw new Error('no two texts have one hash');
}

describe('damage', () => {
  const read = (bytes: Uint8Array<ArrayBuffer>) => new ChunkTable(bytes.buffer, STORE_COUNT);
  const patched = (offset: number, ...values: number[]) => {
    const bytes = chunksPart();
    bytes.set(values, offset);
    return bytes;
  };

  it('is reported with what was got and what was expected', () => {
    expect(() => read(patched(0, 0x58))).toThrow(
      'chunks magic: got 1128551256, expected 1128551250',
    );
    expect(() => read(patched(6, 9))).toThrow('chunks sections: got 9, expected 3');
    const length = chunksPart().length;
    expect(() => read(chunksPart().slice(0, -8))).toThrow(
      `chunks length: got ${length - 8}, expected ${length}`,
    );
    expect(() => read(new Uint8Array(3))).toThrow('chunks: got 3 bytes, expected at least 16');
  });

  it('of a newer or older version says what to do', () => {
    expect(() => read(patched(4, 4))).toThrow(
      'chunks: got format version 4, expected 3; deploy a Worker that reads this version before publishing with it',
    );
    expect(() => read(patched(4, 2))).toThrow(
      'chunks: got format version 2, expected 3; publish again with the current command-line tool',
    );
  });

  it('of the starts of records is refused', () => {
    const [second, end] = [8, 436];
    for (const start of [15, 16, 30, end, 2 ** 31]) {
      const bytes = writeChunk(RECORDS);
      new DataView(bytes.buffer).setUint32(second, start, true);
      expect(() => new Chunk(bytes.buffer, 3)).toThrow(/chunk: record [12] starts at byte/);
    }
  });

  it('of any byte never ends in anything but a format error', () => {
    const readers: [Uint8Array<ArrayBuffer>, (bytes: Uint8Array<ArrayBuffer>) => unknown][] = [
      [chunksPart(), read],
      [writeIdTable(IDS), (bytes) => new IdTable(bytes.buffer, IDS.length)],
      [writeSlugTable(SLUGS), (bytes) => new SlugTable(bytes.buffer, SLUGS.length)],
      [writeSlugTexts(SLUGS), (bytes) => new SlugTexts(bytes.buffer, SLUGS.length)],
      [writePlaces(PLACES), (bytes) => new PlaceTable(bytes.buffer, 3)],
      [writeColumn(Uint32Array.of(1, 0, 2)), (bytes) => readRankColumn('rank', bytes.buffer, 3)],
      [writeColumn(Uint16Array.of(1, 0, 2)), (bytes) => readVerticales(bytes.buffer, 3)],
      [writeColumn(new Uint8Array(24)), (bytes) => new FingerprintColumn(bytes.buffer, 3)],
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
    const table = new PlaceTable(writePlaces(PLACES).buffer, 3);
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
    const table = new PlaceTable(writePlaces([]).buffer, 0);
    expect(table.tree.range(-180, -90, 180, 90)).toEqual([]);
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
