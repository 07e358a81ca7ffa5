/**
 * Compiles stores into a release: records into chunks, columns into index parts, all named by
 * their content. The same set of stores gives the same objects, in whatever order it comes.
 *
 * Two passes keep memory bounded: the first writes each record to a spool and keeps a few facts
 * of the store, the second reads the records back in the order of their chunks.
 */

import { type ChunkRow, chunkLength, layChunk } from '../../src/snapshot/chunks.ts';
import { FINGERPRINT_BYTES } from '../../src/snapshot/compared-stores.ts';
import { textHash } from '../../src/snapshot/hash.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { type Manifest, type ObjectRef, objectName } from '../../src/snapshot/manifest.ts';
import { FINGERPRINT_BYTE } from '../../src/snapshot/record.ts';
import { compileRecord } from './compile-record.ts';
import { indexParts } from './index-parts.ts';
import { RecordText } from './record-text.ts';
import type { SourceStore } from './source-store.ts';
import { type StoreFacts, storeFacts } from './store-facts.ts';

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

type Stores = AsyncIterable<SourceStore> | Iterable<SourceStore>;

interface CompileIo {
  readonly spool: RecordSpool;
  /**
   * Takes finished objects; of one hash it may be given the same bytes twice.
   * @param bytes belong to the caller again when the promise is fulfilled
   */
  readonly put: (hash: string, bytes: Uint8Array) => Promise<void>;
  /** Reading the stores shows its own progress, in bytes. */
  readonly progress?: {
    begin(phase: string, total: number, unit: 'stores'): void;
    update(done: number): void;
  };
  readonly signal?: AbortSignal;
  /**
   * Returns the SHA-256 of bytes. Web Crypto computes it on another thread, and to wait for that takes many times as
   * long as the hash of a record: tools compute it at once.
   */
  readonly hash: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/**
 * Compiles valid stores (outputs of `sourceStoreSchema`, ids and slugs unique) and returns the
 * manifest. Every object has been put by then.
 */
export async function compileRelease(stores: Stores, io: CompileIo): Promise<Manifest> {
  return writeRelease(await spoolRecords(stores, io), io);
}

/** Runs the first pass: puts every store's record into the spool, and returns a few facts of each, in the same order. */
export async function spoolRecords(
  stores: Stores,
  { spool, hash }: CompileIo,
): Promise<StoreFacts[]> {
  const facts: StoreFacts[] = [];
  const text = new RecordText();
  for await (const store of stores) {
    const { record, answers } = compileRecord(store, text);
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
  const parts: Record<string, ObjectRef> = {};
  for (const [{ name }, bytes] of indexParts(facts, chunks)) {
    parts[name] = { hash: await putObject(bytes, io), bytes: bytes.length };
  }
  return {
    format: FORMAT_VERSION,
    release: await releaseId(parts, io),
    storeCount: facts.length,
    locationCount: facts.reduce((sum, { coordinates }) => sum + coordinates.length / 2, 0),
    chunkCount: chunks.length,
    chunkBytes: chunks.reduce((sum, chunk) => sum + chunk.bytes, 0),
    parts,
  };
}

/** Reads the records of `facts`, which are in the order of ids, back and writes their chunks. */
async function writeChunks(facts: readonly StoreFacts[], io: CompileIo): Promise<ChunkRow[]> {
  const { spool, progress, signal } = io;
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
    chunks.push({ stores: stores.length, bytes: length, hash: await putObject(chunk, io) });
    done += stores.length;
    progress?.update(done);
  }
  return chunks;
}

/** Puts an object; returns its name. */
async function putObject(bytes: Uint8Array, { put, hash }: CompileIo): Promise<string> {
  const name = objectName(await hash(bytes));
  await put(name, bytes);
  return name;
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
 * docs/decisions/03-chunks-of-two-or-four.md has the measurements.
 */
function* planChunks(facts: readonly StoreFacts[]): Generator<StoreFacts[]> {
  const hashes = Uint32Array.from(facts, ({ id }) => textHash(id));
  // How many hashes are compared for a cut is also the mean number of stores in a chunk: the highest of so
  // many neighbours is as likely to be any one of them.
  const compared = facts.length <= MAX_SMALL ? 4 : 2;
  let chunk: StoreFacts[] = [];
  let bytes = 0;
  for (const [index, store] of facts.entries()) {
    chunk.push(store);
    bytes += store.recordLength;
    if (bytes < MAX_CHUNK_BYTES && !isHighest(hashes, index, compared)) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Returns whether the hash at `index` is the highest of `compared` neighbours around it. */
function isHighest(hashes: Uint32Array, index: number, compared: number): boolean {
  const first = index - ((compared - 1) >> 1);
  for (let other = first; other < first + compared; other++) {
    if (other !== index && (hashes[other] ?? 0) >= (hashes[index] as number)) return false;
  }
  return true;
}

/** Returns the id of a release. The `chunks` part names all chunks by hash, so the parts stand for the whole content. */
async function releaseId(
  parts: Readonly<Record<string, ObjectRef>>,
  { hash }: CompileIo,
): Promise<string> {
  const names = Object.keys(parts).sort();
  const content = [FORMAT_VERSION, ...names.map((name) => `${name}=${parts[name]?.hash}`)];
  const digest = await hash(new TextEncoder().encode(content.join('\n')));
  return digest.toHex().slice(0, RELEASE_ID_DIGITS);
}
