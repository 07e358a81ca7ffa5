/** Damage and other versions: whatever bytes come, a reader says that they are not what they should be. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chunk } from '../../src/snapshot/chunk.ts';
import { ChunkTable } from '../../src/snapshot/chunk-table.ts';
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
import { CHUNKED_STORES, chunksPart, IDS, PLACES, writeChunk } from './snapshot-parts.ts';

const SLUGS = ['zürich', 'Annecy', '🚲'];

describe('damage', () => {
  const read = (bytes: Uint8Array<ArrayBuffer>) => new ChunkTable(bytes.buffer, CHUNKED_STORES);
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
    expect(() => read(patched(4, 4))).toThrow('chunks: got format version 4, expected 3; ');
    expect(() => read(patched(4, 2))).toThrow(
      'chunks: got format version 2, expected 3; publish again with the current command-line tool',
    );
  });

  it('of any byte never ends in anything but a format error', () => {
    const records = [8, 4].map((length) => new Uint8Array(length).fill(255));
    const readers: [Uint8Array<ArrayBuffer>, (bytes: Uint8Array<ArrayBuffer>) => unknown][] = [
      [chunksPart(), read],
      [writeChunk(records), (bytes) => new Chunk(bytes.buffer, 2)],
      [writeIdTable(IDS), (bytes) => new IdTable(bytes.buffer, IDS.length)],
      [writeSlugTable(SLUGS), (bytes) => new SlugTable(bytes.buffer, SLUGS.length)],
      [writeSlugTexts(SLUGS), (bytes) => new SlugTexts(bytes.buffer, SLUGS.length)],
      [writePlaces(PLACES), (bytes) => new PlaceTable(bytes.buffer, 3)],
      [writeColumn(new Uint8Array(24)), (bytes) => new FingerprintColumn(bytes.buffer, 3)],
      [writeColumn(Uint16Array.of(1, 0, 2)), (bytes) => readVerticales(bytes.buffer, 3)],
      [writeColumn(Uint32Array.of(1, 0, 2)), (bytes) => readRankColumn('rank', bytes.buffer, 3)],
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
    }
    // A chunk is cut off unnoticed in its last record: its length stands in the list of chunks.
    for (const [part, open] of readers.filter((_, index) => index !== 1)) {
      for (let length = 0; length < part.length; length++) {
        expect(() => open(part.slice(0, length))).toThrow(SnapshotFormatError);
      }
    }
  });
});

function expectFormatErrorAtMost(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotFormatError);
  }
}
