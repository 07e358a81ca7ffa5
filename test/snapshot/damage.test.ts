/**
 * Damage and other versions: whatever bytes come, a reader says that they are not what they should
 * be, and what and where they are. Every byte of every kind of value is flipped, and every value cut
 * at every length.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { indexParts } from '../../scripts/compile/compile-release.ts';
import { ObjectReader, type WantedObject } from '../../src/load/object-reader.ts';
import { CHUNKS_PART, readChunk } from '../../src/snapshot/chunks.ts';
import { SnapshotFormatError } from '../../src/snapshot/column-file.ts';
import { readComparedStores } from '../../src/snapshot/compared-stores.ts';
import { idTable } from '../../src/snapshot/id-table.ts';
import { FORMAT_VERSION, objectKey } from '../../src/snapshot/keys.ts';
import { COMPARED_NAME, type Manifest, objectHash } from '../../src/snapshot/manifest.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { compileValues, GENERATION, TestContext } from '../support/stores/memory-snapshot.ts';
import { CHUNKED_STORES, chunksPart } from '../support/stores/snapshot-parts.ts';
import { DAMAGED_STORES } from './support/damaged-stores.ts';
import { cutsOf, type Damage, damagesOf, flipsOf } from './support/every-damage.ts';

const buffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

describe('damage', () => {
  const read = (bytes: Uint8Array<ArrayBuffer>) => CHUNKS_PART.read(bytes.buffer, CHUNKED_STORES);
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
    const [newer, older] = [FORMAT_VERSION + 1, FORMAT_VERSION - 1];
    expect(() => read(patched(4, newer))).toThrow(
      `chunks: got format version ${newer}, expected ${FORMAT_VERSION}; deploy a Worker that reads this version`,
    );
    expect(() => read(patched(4, older))).toThrow(
      `chunks: got format version ${older}, expected ${FORMAT_VERSION}; publish again with the current command-line tool`,
    );
  });
});

/** Makes of a part what its reader makes of it. */
function openPart(name: string, bytes: Uint8Array, storeCount: number): unknown {
  const part = buffer(bytes);
  if (name === COMPARED_NAME) {
    return readComparedStores(part, idTable(new Uint8Array(12 * storeCount)));
  }
  const known = PARTS.find((each) => each.name === name);
  if (!known?.read) throw new Error(`no reader of part ${name}`);
  return known.read(part, storeCount);
}

const PARTS = [...indexParts([], []).keys()];

let manifest: Manifest;
/** Every part by its name, and every chunk. */
const objects = new Map<string, Uint8Array>();
/** How many stores each chunk holds. */
const chunks = new Map<string, number>();

beforeAll(async () => {
  const compiled = await compileValues(DAMAGED_STORES, '2026-01-01T00:00:00Z');
  manifest = compiled.manifest;
  const object = (hash = '') => compiled.values.get(objectKey(GENERATION, hash)) as Uint8Array;
  for (const [name, { hash }] of Object.entries(manifest.parts))
    objects.set(`part ${name}`, object(hash));
  const table = CHUNKS_PART.read(
    buffer(object(manifest.parts[CHUNKS_PART.name]?.hash)),
    manifest.storeCount,
  );
  for (let number = 0; number < table.chunkCount; number++) {
    objects.set(`chunk ${number}`, object(table.hash(number)));
    chunks.set(`chunk ${number}`, table.storesIn(number));
  }
});

describe('an object of a release', () => {
  it('is never given out with any byte flipped, or cut anywhere', async () => {
    expect(chunks.size).toBeGreaterThan(0);
    for (const [what, object] of objects) {
      const hash = await objectHash(object);
      const place = `${what} (${objectKey(GENERATION, hash)}) `;
      const check = async ({ what: where, bytes }: Damage) => {
        const error = await errorOf(bytes, {
          what,
          generation: GENERATION,
          hash,
          bytes: object.length,
        });
        // Not by `expect`, which costs more than reading.
        if (!error?.message.startsWith(place)) throw new Error(`${what}, ${where}: ${error}`);
      };
      for (const batch of batches(damagesOf(object))) await Promise.all(batch.map(check));
    }
  });
});

/** Few at a time: all damaged copies of an object at once are hundreds of megabytes. */
function* batches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < 64) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Why an object is refused where storage has `bytes`; null when it is given out. */
async function errorOf(bytes: Uint8Array, wanted: WantedObject): Promise<Error | null> {
  const source = {
    maxKeys: 1,
    readDocument: async () => null,
    readObjects: async () => [buffer(bytes)],
  };
  const reads = new ObjectReader(source, 1e9).read([wanted], new TestContext());
  try {
    await reads?.[0];
    return null;
  } catch (problem) {
    return (problem as Error).cause as Error;
  }
}

describe('a reader of an object that was not checked', () => {
  it('finds damage of the header and of the table of sections, whichever the part', () => {
    for (const [name, object] of partsOf()) {
      if (name === PLACES_PART.name) continue;
      // Magic, version, number of sections n, length; then offset and length of each section.
      const sections = new DataView(buffer(object)).getUint16(6, true);
      const regions = [...range(0, 12), ...range(16, 16 + 8 * sections)];
      for (const { what, bytes } of flipsOf(object, regions)) {
        expect(() => openPart(name, bytes, manifest.storeCount), `${name}, ${what}`).toThrow(
          SnapshotFormatError,
        );
      }
    }
  });

  it('finds a part that is cut anywhere', () => {
    for (const [name, object] of partsOf()) {
      for (const { what, bytes } of cutsOf(object)) {
        expect(() => openPart(name, bytes, manifest.storeCount), `${name}, ${what}`).toThrow(
          SnapshotFormatError,
        );
      }
    }
  });

  it('ends in nothing but a format error, whatever byte is damaged', () => {
    for (const [name, object] of partsOf()) {
      for (const { bytes } of flipsOf(object)) {
        expectFormatErrorAtMost(() => openPart(name, bytes, manifest.storeCount));
      }
    }
    for (const [name, stores] of chunks) {
      // A chunk is cut off unnoticed in its last record: its length stands in the list of chunks.
      for (const { bytes } of damagesOf(objects.get(name) as Uint8Array)) {
        expectFormatErrorAtMost(() => readChunk(buffer(bytes), stores));
      }
    }
  });
});

function partsOf(): [string, Uint8Array][] {
  return Object.keys(manifest.parts).map((name) => [
    name,
    objects.get(`part ${name}`) as Uint8Array,
  ]);
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);

function expectFormatErrorAtMost(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
  }
}
