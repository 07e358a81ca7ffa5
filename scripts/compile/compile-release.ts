/**
 * Compiles stores into a release: records into chunks, columns into index parts, all named by
 * their content. The same set of stores gives the same objects, in whatever order it comes.
 *
 * Two passes keep memory bounded: the first writes each record to a spool and keeps a few facts
 * of the store, the second reads the records back in the order of their chunks.
 */

import { FACETS } from '../../src/model/enumerations.ts';
import {
  CHUNKS_PART,
  type ChunkRow,
  chunkLength,
  layChunk,
  writeChunkTable,
} from '../../src/snapshot/chunks.ts';
import type { Part } from '../../src/snapshot/column-file.ts';
import { FINGERPRINT_BYTES, writeComparedStores } from '../../src/snapshot/compared-stores.ts';
import { DELIVERIES_PART, writeDeliveries } from '../../src/snapshot/delivery-table.ts';
import { sha256, textHash } from '../../src/snapshot/hash.ts';
import { HOURS_PART, writeHours } from '../../src/snapshot/hours-table.ts';
import { IDS_PART, writeIdTable } from '../../src/snapshot/id-table.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import {
  COMPARED_NAME,
  type Manifest,
  type ObjectRef,
  objectHash,
  objectName,
} from '../../src/snapshot/manifest.ts';
import { PLACES_PART, type Place, writePlaces } from '../../src/snapshot/place-table.ts';
import { writeRanks } from '../../src/snapshot/rank-column.ts';
import { FINGERPRINT_BYTE } from '../../src/snapshot/record.ts';
import { setsPart, writeSets } from '../../src/snapshot/set-table.ts';
import { SETTINGS_PART, writeSettings } from '../../src/snapshot/settings-table.ts';
import { SLUGS_PART, writeSlugTable } from '../../src/snapshot/slug-table.ts';
import { WORD_FIELDS, wordsPart, writeWords } from '../../src/snapshot/word-table.ts';
import { compileRecord } from './compile-record.ts';
import { countFigures, FIGURES_PART, writeFigures } from './count-figures.ts';
import { rankStores } from './rank-stores.ts';
import type { SourceStore } from './source-store.ts';
import { spellCountries } from './spell-countries.ts';
import { type StoreFacts, storeFacts } from './store-facts.ts';
import { zoneChanges } from './zone-changes.ts';

const RELEASE_ID_DIGITS = 16;

/** A chunk that has this many bytes takes no further store. */
const MAX_CHUNK_BYTES = 512 * 1024;

/** Up to so many stores, a first publication has to stay within a day of KV's free plan. */
const MAX_SMALL = 10_000;

/** Holds compiled records between the two passes; reads come in any order. */
export interface RecordSpool {
  /** Appends a record and returns by what it is read. */
  append(record: Uint8Array): number;
  /** Fills `record`, which is as long, with what `append` returned `offset` for. */
  read(offset: number, record: Uint8Array): void;
}

/** Takes finished objects; of one hash it may be given the same bytes twice. */
export interface ObjectSink {
  /** @param bytes belong to the caller again when the promise is fulfilled */
  put(hash: string, bytes: Uint8Array): Promise<void>;
}

interface CompileIo {
  readonly spool: RecordSpool;
  readonly sink: ObjectSink;
  /** Reading the stores shows its own progress, in bytes. */
  readonly progress?: {
    begin(phase: string, total: number, unit: 'stores'): void;
    update(done: number): void;
  };
  readonly signal?: AbortSignal;
  /**
   * The SHA-256 of bytes. Where it is left out, Web Crypto computes it on another thread, and to
   * wait for that takes many times as long as to compute it.
   */
  readonly hash?: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/**
 * Compiles valid stores (outputs of `sourceStoreSchema`, ids and slugs unique) and returns the
 * manifest. Every object has been given to the sink by then.
 */
export async function compileRelease(
  stores: AsyncIterable<SourceStore> | Iterable<SourceStore>,
  io: CompileIo,
): Promise<Manifest> {
  return writeRelease(await spoolRecords(stores, io), io);
}

/** Runs the first pass: puts every store's record into the spool, and returns a few facts of each, in the same order. */
export async function spoolRecords(
  stores: AsyncIterable<SourceStore> | Iterable<SourceStore>,
  { spool, hash = sha256 }: CompileIo,
): Promise<StoreFacts[]> {
  const facts: StoreFacts[] = [];
  for await (const store of stores) {
    const { record, answers } = compileRecord(store);
    const fingerprint = (await hash(answers)).slice(0, FINGERPRINT_BYTES);
    record.set(fingerprint, FINGERPRINT_BYTE);
    const spoolOffset = spool.append(record);
    facts.push(storeFacts(store, { spoolOffset, recordLength: record.length, fingerprint }));
  }
  return facts;
}

/**
 * Writes the release of stores whose records the spool has: the second pass of a compilation. Several
 * releases can be written from one spool.
 */
export async function writeRelease(
  spooled: readonly StoreFacts[],
  io: CompileIo,
): Promise<Manifest> {
  // Ordinals follow ids: see `chunks.ts`.
  const facts = spooled.toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1));
  const chunks = await writeChunks(facts, io);
  io.progress?.begin('Indexing', facts.length, 'stores');
  const parts = await writeParts(indexParts(facts, chunks), io.sink);
  return {
    format: FORMAT_VERSION,
    release: await releaseId(parts),
    storeCount: facts.length,
    locationCount: facts.reduce((sum, store) => sum + locationCount(store), 0),
    chunkCount: chunks.length,
    chunkBytes: chunks.reduce((sum, chunk) => sum + chunk.bytes, 0),
    parts,
  };
}

/** Reads the records of `facts`, which are in the order of ids, back and writes their chunks. */
async function writeChunks(
  facts: readonly StoreFacts[],
  { spool, sink, progress, signal, hash = sha256 }: CompileIo,
): Promise<ChunkRow[]> {
  const chunks: ChunkRow[] = [];
  // New memory for each chunk would have V8 collect garbage every 50 MB, going through all that the
  // compilation keeps.
  let memory = new Uint8Array(1024 * 1024);
  let done = 0;
  progress?.begin('Compiling', facts.length, 'stores');
  for (const stores of planChunks(facts)) {
    signal?.throwIfAborted();
    const lengths = stores.map(({ recordLength }) => recordLength);
    const length = chunkLength(lengths);
    if (length > memory.length) memory = new Uint8Array(2 * length);
    const chunk = memory.subarray(0, length);
    for (const [index, record] of layChunk(chunk, lengths).entries()) {
      spool.read((stores[index] as StoreFacts).spoolOffset, record);
    }
    const name = objectName(await hash(chunk));
    await sink.put(name, chunk);
    chunks.push({ stores: stores.length, bytes: length, hash: name });
    done += stores.length;
    progress?.update(done);
  }
  return chunks;
}

/**
 * Decides which records share a chunk. `facts` are in the order of ids.
 *
 * Records lie in the order of ids. A chunk ends with each store whose id hashes higher than the ids of
 * its neighbours. So a cut depends on the stores beside it alone, and a changed, added or removed
 * store leaves all chunks but one or two as they were.
 *
 * Chunks are small, because a store that changes uploads its whole chunk, and because a page of
 * scattered stores reads as many chunks as it has stores. How small depends on the number of stores:
 * FORMAT.md has the measurements.
 */
function planChunks(facts: readonly StoreFacts[]): StoreFacts[][] {
  const hashes = Uint32Array.from(facts, ({ id }) => textHash(id));
  // How many hashes are compared for a cut is also the mean number of stores in a chunk: the highest of so
  // many neighbours is as likely to be any one of them.
  const compared = facts.length <= MAX_SMALL ? 4 : 2;
  const chunks: StoreFacts[][] = [];
  let chunk: StoreFacts[] = [];
  let bytes = 0;
  facts.forEach((store, index) => {
    chunk.push(store);
    bytes += store.recordLength;
    const isFull = bytes >= MAX_CHUNK_BYTES;
    if (!isFull && !isHighest(hashes, index, compared) && index < facts.length - 1) return;
    chunks.push(chunk);
    chunk = [];
    bytes = 0;
  });
  return chunks;
}

/** Returns whether the hash at `index` is the highest of `compared` neighbours around it. */
function isHighest(hashes: Uint32Array, index: number, compared: number): boolean {
  const first = index - ((compared - 1) >> 1);
  for (let other = first; other < first + compared; other++) {
    if (other !== index && (hashes[other] ?? 0) >= (hashes[index] as number)) return false;
  }
  return true;
}

/** Without `read` where that takes more than the part: compared stores are read beside the ids. */
type WrittenPart = Pick<Part, 'name'> & Partial<Part>;

/** Writes all index parts of a release, in the order of the manifest. */
export function indexParts(
  facts: readonly StoreFacts[],
  chunks: readonly ChunkRow[],
): Map<WrittenPart, Uint8Array<ArrayBuffer>> {
  const parts = new Map<WrittenPart, Uint8Array<ArrayBuffer>>([
    [CHUNKS_PART, writeChunkTable(chunks)],
    [IDS_PART, writeIdTable(facts.map(({ id }) => id))],
    [SLUGS_PART, writeSlugTable(facts.map(({ slug }) => slug))],
    [{ name: COMPARED_NAME }, writeComparedStores(facts)],
    [FIGURES_PART, writeFigures(countFigures(facts))],
    [HOURS_PART, writeSchedules(facts)],
    [DELIVERIES_PART, writeDeliveries(facts.map(({ delivery }) => delivery))],
    [PLACES_PART, writePlaces(facts.flatMap(storePlaces))],
    [SETTINGS_PART, writeSettings(facts.map(({ settings }) => settings))],
  ]);
  for (const field of FACETS) {
    const words = facts.map((store) => store.words[field]);
    parts.set(setsPart(field), writeSets(field === 'countries' ? spellCountries(words) : words));
  }
  for (const field of WORD_FIELDS) {
    parts.set(wordsPart(field), writeWords(facts.map(({ words }) => words[field])));
  }
  for (const [part, ranks] of rankStores(facts)) parts.set(part, writeRanks(ranks));
  return parts;
}

function writeSchedules(facts: readonly StoreFacts[]): Uint8Array<ArrayBuffer> {
  const zones = [...new Set(facts.map(({ timezone }) => timezone))].sort();
  const numbers = new Map(zones.map((zone, number) => [zone, number]));
  const schedules = facts.map(({ schedule, timezone }) => {
    return { ...schedule, zone: numbers.get(timezone) as number };
  });
  return writeHours(schedules, zones.map(zoneChanges));
}

const locationCount = ({ coordinates }: StoreFacts): number => coordinates.length / 2;

function storePlaces(facts: StoreFacts, store: number): Place[] {
  const { coordinates } = facts;
  return Array.from({ length: locationCount(facts) }, (_, locationIndex) => ({
    store,
    locationIndex,
    lat: coordinates[2 * locationIndex] as number,
    lng: coordinates[2 * locationIndex + 1] as number,
  }));
}

/** Hands the parts to the sink; those with equal content are one object. */
async function writeParts(
  parts: ReadonlyMap<WrittenPart, Uint8Array<ArrayBuffer>>,
  sink: ObjectSink,
): Promise<Record<string, ObjectRef>> {
  const refs: Record<string, ObjectRef> = {};
  for (const [{ name }, bytes] of parts) {
    const hash = await objectHash(bytes);
    await sink.put(hash, bytes);
    refs[name] = { hash, bytes: bytes.length };
  }
  return refs;
}

/** Returns the id of a release. The `chunks` part names all chunks by hash, so the parts stand for the whole content. */
async function releaseId(parts: Readonly<Record<string, ObjectRef>>): Promise<string> {
  const names = Object.keys(parts).sort();
  const content = [FORMAT_VERSION, ...names.map((name) => `${name}=${parts[name]?.hash}`)];
  const hash = (await sha256(new TextEncoder().encode(content.join('\n')))).toHex();
  return hash.slice(0, RELEASE_ID_DIGITS);
}
