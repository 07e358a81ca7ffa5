/**
 * Damage and other versions: whatever bytes come, a reader says that they are not what they should
 * be, and what and where they are. Every byte of every kind of object is flipped, and every object cut
 * at every length, so that no region of any format can be forgotten, although none comes to a reader whose hash is not
 * right (`load/object-reader.test.ts`). So are two of the small documents, which are all sealed alike: one that Workers
 * read and one that tools alone read. The table of failures (`load/faults`) shows of each other document that its seal
 * is looked at.
 */

import { inspect, isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { indexParts } from '../../scripts/compile/index-parts.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { parseEntry } from '../../scripts/release/log.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { readSealedDocument } from '../../src/load/sealed-document.ts';
import { CHUNKS_PART, type ChunkTable, readChunk } from '../../src/snapshot/chunks.ts';
import { SnapshotFormatError } from '../../src/snapshot/column-file.ts';
import { readComparedStores, writeComparedStores } from '../../src/snapshot/compared-stores.ts';
import { IDS_PART, idTable, writeIdTable } from '../../src/snapshot/id-table.ts';
import { FORMAT_VERSION, logKey, objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { COMPARED_NAME, type Manifest, pointerSchema } from '../../src/snapshot/manifest.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { sealJson, unsealJson } from '../../src/storage/sealed-json.ts';
import { entryTo } from '../support/memory-target.ts';
import { GENERATION, publish, TestContext } from '../support/stores/memory-snapshot.ts';
import { CHUNKED_STORES, chunksPart, writeChunk } from '../support/stores/snapshot-parts.ts';
import { buildLocation, buildStore, storeId } from '../support/stores/store-builder.ts';
import { WatchedStorage } from '../support/watched-storage.ts';

/** A few that leave no part of a release and no region of a record empty. */
const DAMAGED_STORES: readonly SourceStore[] = [
  buildStore(1, { id: storeId(1).toUpperCase() }),
  buildStore(2, {
    'geo.rentalPoints': [buildLocation('point', 48.5, 7.5)],
    localization: { default: 'en', available: ['en', 'de'] },
  }),
];

interface Damage {
  /** Where and how, for the message of a test that fails. */
  readonly what: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A value with one bit flipped, once for each byte; another bit in each.
 * @param offsets of the bytes, if they are not all
 */
function* flipsOf(value: Uint8Array, offsets: Iterable<number> = value.keys()): Generator<Damage> {
  for (const offset of offsets) {
    const bytes = value.slice();
    bytes[offset] = (bytes[offset] as number) ^ (1 << (offset % 8));
    yield { what: `byte ${offset} flipped`, bytes };
  }
}

/** A value cut off at each length it may have. */
function* cutsOf(value: Uint8Array): Generator<Damage> {
  for (let length = 0; length < value.length; length++) {
    yield { what: `cut after ${length} bytes`, bytes: value.slice(0, length) };
  }
}

function* damagesOf(value: Uint8Array): Generator<Damage> {
  yield* flipsOf(value);
  yield* cutsOf(value);
}

const buffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

/** The list of chunks with another byte. */
function patched(offset: number, value: number): Uint8Array<ArrayBuffer> {
  const bytes = chunksPart();
  bytes[offset] = value;
  return bytes;
}

const { length } = chunksPart();
const [newer, older] = [FORMAT_VERSION + 1, FORMAT_VERSION - 1];

const readChunks = (bytes: Uint8Array<ArrayBuffer>, stores = CHUNKED_STORES) =>
  CHUNKS_PART.read(bytes.buffer, stores);

/** Of three records. */
const CHUNK = writeChunk([4, 12, 8].map((bytes, index) => new Uint8Array(bytes).fill(index + 1)));

const [ONE, OTHER] = ['a'.repeat(24), 'b'.repeat(24)] as const;

it.each<[string, () => unknown]>([
  ['chunks magic: got 1128551256, expected 1128551250', () => readChunks(patched(0, 0x58))],
  ['chunks sections: got 9, expected 3', () => readChunks(patched(6, 9))],
  [
    `chunks length: got ${length - 8}, expected ${length}`,
    () => readChunks(chunksPart().slice(0, -8)),
  ],
  ['chunks: got 3 bytes, expected at least 16', () => readChunks(new Uint8Array(3))],
  [
    `chunks: got format version ${newer}, expected ${FORMAT_VERSION}; deploy a Worker that reads this version`,
    () => readChunks(patched(4, newer)),
  ],
  [
    `chunks: got format version ${older}, expected ${FORMAT_VERSION}; publish again with the current command-line tool`,
    () => readChunks(patched(4, older)),
  ],
  ['chunks stores: got 259, expected 260', () => readChunks(chunksPart(), 260)],
  ['chunk records: got 3, expected 2', () => readChunk(buffer(CHUNK), 2)],
  ['chunk length modulo 4: got 3, expected 0', () => readChunk(buffer(CHUNK.slice(0, -1)), 3)],
  [
    'compared section 1 length: got 8, expected 4',
    () => {
      const two = [ONE, OTHER].map((id) => ({ id, slug: id, fingerprint: new Uint8Array(8) }));
      const ids = IDS_PART.read(writeIdTable([ONE]).buffer, 1);
      return readComparedStores(writeComparedStores(two).buffer, ids);
    },
  ],
])('says what is wrong, or what to do: %s', (message, read) => {
  expect(read).toThrow(message);
});

/** Makes of a part what its reader makes of it. */
function openPart(name: string, bytes: Uint8Array): unknown {
  const part = buffer(bytes);
  const { storeCount } = manifest;
  if (name === COMPARED_NAME) {
    return readComparedStores(part, idTable(new Uint8Array(12 * storeCount)));
  }
  const known = PARTS.find((each) => each.name === name);
  if (!known?.read) throw new Error(`no reader of part ${name}`);
  return known.read(part, storeCount);
}

const PARTS = [...indexParts([], []).keys()];

let manifest: Manifest;
let parts: readonly (readonly [name: string, bytes: Uint8Array])[];
let pointer: Uint8Array;
/** Every chunk, with how many stores it holds. */
let chunks: readonly (readonly [bytes: Uint8Array, stores: number])[];

beforeAll(async () => {
  const values = new Map<string, Uint8Array>();
  ({ manifest } = (await publish(values, DAMAGED_STORES)).pointer);
  pointer = values.get(POINTER_KEY) as Uint8Array;
  const object = (hash: string) => values.get(objectKey(GENERATION, hash)) as Uint8Array;
  parts = Object.entries(manifest.parts).map(([name, { hash }]) => [name, object(hash)]);
  const table = openPart(
    CHUNKS_PART.name,
    new Map(parts).get(CHUNKS_PART.name) as Uint8Array,
  ) as ChunkTable;
  chunks = Array.from({ length: table.chunkCount }, (_, index) => {
    return [object(table.hash(index)), table.storesIn(index)];
  });
});

describe('a reader', () => {
  it('finds damage of the header and of the table of sections, and where it is cut, whichever the part', () => {
    for (const [name, object] of parts) {
      // Magic, version, number of sections n, length; then offset and length of each section.
      const sections = new DataView(buffer(object)).getUint16(6, true);
      const regions = [...range(0, 12), ...range(16, 16 + 8 * sections)];
      const flips = name === PLACES_PART.name ? [] : flipsOf(object, regions);
      for (const { what, bytes } of [...flips, ...cutsOf(object)]) {
        expect(() => openPart(name, bytes), `${name}, ${what}`).toThrow(SnapshotFormatError);
      }
    }
  });

  it('ends in nothing but a format error, whatever byte is damaged', () => {
    for (const [name, object] of parts) {
      for (const { bytes } of flipsOf(object)) {
        expectFormatErrorAtMost(() => openPart(name, bytes));
      }
    }
    for (const [chunk, stores] of chunks) {
      // A chunk is cut off unnoticed in its last record: its length stands in the list of chunks.
      for (const { bytes } of damagesOf(chunk)) {
        expectFormatErrorAtMost(() => readChunk(buffer(bytes), stores));
      }
    }
  });
});

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);

function expectFormatErrorAtMost(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
  }
}

/**
 * Reads a document with every damage it may have: it is refused, with its name in the error or a cause of that,
 * or harmless.
 */
async function damageAll(
  document: Uint8Array,
  read: (bytes: Uint8Array<ArrayBuffer>) => unknown,
  name: string,
): Promise<void> {
  const whole = await read(document.slice());
  expect(whole).not.toBeNull();
  for (const { what, bytes } of damagesOf(document)) {
    const got = await Promise.resolve(bytes).then(read).catch(inspect);
    if (!isDeepStrictEqual(got, whole)) expect(got, what).toContain(name);
  }
}

it('a Worker refuses a pointer, and says where it lies', async () => {
  const read = (bytes: Uint8Array) =>
    readSealedDocument(
      new WatchedStorage(new Map([[POINTER_KEY, bytes]])).source,
      POINTER_KEY,
      pointerSchema,
      new TestContext(),
    );
  await damageAll(pointer, read, POINTER_KEY);
});

it('a tool refuses an entry of the log, and says which', async () => {
  const entry = { ...entryTo('a'.repeat(16), 1), by: 'Vélo', mark: 'm' };
  const read = (bytes: Uint8Array) => parseEntry(bytes, { key: logKey(1), storedAt: 0 });
  await damageAll(encodeJson(entry), read, 'entry 1 of the log');
});

it('a document without a sum is refused', () => {
  const { sum, ...bare } = JSON.parse(sealJson({ format: FORMAT_VERSION, of: 'a release' }));
  expect(sum).toMatch(/^[0-9a-f]{8}$/);
  expect(() => unsealJson(JSON.stringify(bare))).toThrow('it has no sum');
});
