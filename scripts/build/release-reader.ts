/**
 * Reads a release for tools, wherever it lies: every object is checked by its hash.
 *
 * The Worker gives a read up after seconds, for a partner waits. Over Cloudflare's API a read may
 * have to wait for minutes, so tools read on their own, and only what they need.
 */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import { CHUNKS_PART, type Chunk, type ChunkTable, readChunk } from '../../src/snapshot/chunks.ts';
import { type Part, SnapshotFormatError } from '../../src/snapshot/column-file.ts';
import { type ComparedStores, readComparedStores } from '../../src/snapshot/compared-stores.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import {
  COMPARED_NAME,
  type Manifest,
  type ObjectRef,
  objectHash,
} from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';

/** A release as the publisher takes it, wherever it lies. */
export interface CompiledRelease {
  readonly manifest: Manifest;
  /** The bytes of objects, in the same order; null for those that are missing. */
  readonly readObjects: (refs: readonly ObjectRef[]) => Promise<readonly (Uint8Array | null)[]>;
}

/** What to do about a release that cannot be read, by the code of the error that says so. */
export const DAMAGE_ADVICE = {
  release_damaged: '; go to another one, or publish --afresh',
  live_unreadable: '; publish --force --afresh replaces it',
  snapshot_damaged: '; build it again',
};

export type DamageCode = keyof typeof DAMAGE_ADVICE;

export type ReleaseReader = ReturnType<typeof readRelease>;

/**
 * Returns a reader of a release. All that it has throws CommandError when an object is missing or damaged.
 * @param damage the code of that error
 */
export function readRelease(
  { manifest, readObjects }: CompiledRelease,
  damage: DamageCode = 'release_damaged',
) {
  const { release, parts, storeCount } = manifest;
  const explain = (error: unknown): unknown => {
    if (!(error instanceof SnapshotFormatError)) return error;
    const message = `release ${release} cannot be read: ${error.message}${DAMAGE_ADVICE[damage]}`;
    return new CommandError(message, damage, { details: { release }, cause: error });
  };

  /** Returns the bytes of objects, in the same order. */
  async function objects(refs: readonly ObjectRef[]): Promise<readonly Uint8Array[]> {
    const values = await readObjects(refs);
    for (const [index, { hash }] of refs.entries()) {
      const bytes = values[index];
      if (bytes && (await objectHash(bytes)) === hash) continue;
      const state = bytes ? 'damaged' : 'missing';
      throw explain(new SnapshotFormatError(`object ${hash} is ${state}`));
    }
    return values as Uint8Array[];
  }

  /** Reads bytes in a buffer of their own. */
  function parse<Parsed>(
    bytes: Uint8Array | undefined,
    read: (buffer: ArrayBuffer) => Parsed,
  ): Parsed {
    try {
      return read((bytes as Uint8Array).slice().buffer as ArrayBuffer);
    } catch (error) {
      throw explain(error);
    }
  }

  /** By the name of their part. */
  const tables = new Map<string, unknown>();
  async function table<Table>({ name, read }: Part<Table>): Promise<Table> {
    const known = tables.get(name) as Table | undefined;
    if (known !== undefined) return known;
    const ref = parts[name];
    if (!ref) throw explain(new SnapshotFormatError(`it has no part ${name}`));
    const [bytes] = await objects([ref]);
    const found = parse(bytes, (buffer) => read(buffer, storeCount));
    tables.set(name, found);
    return found;
  }

  return {
    manifest,
    objects,
    table,

    /** Lists every object of the release, index parts first, each once. */
    async refs(): Promise<ObjectRef[]> {
      const chunks = await table(CHUNKS_PART);
      const refs = new Map(Object.values(parts).map((ref) => [ref.hash, ref]));
      for (let chunk = 0; chunk < chunks.chunkCount; chunk++) {
        const ref = refOf(chunks, chunk);
        refs.set(ref.hash, ref);
      }
      return [...refs.values()];
    },

    async compared(): Promise<ComparedStores> {
      const ids = await table(IDS_PART);
      const read = (part: ArrayBuffer) => readComparedStores(part, ids);
      return table({ name: COMPARED_NAME, read });
    },

    /** Returns the records of `stores`, in the same order. */
    async records(stores: readonly number[]): Promise<StoredRecords> {
      const chunkTable = await table(CHUNKS_PART);
      const numbers = stores.map((store) => chunkTable.chunkOf(store));
      const asked = [...new Set(numbers)];
      const values = await objects(asked.map((chunk) => refOf(chunkTable, chunk)));
      const chunks = new Map(
        asked.map((chunk, index) => {
          const read = (buffer: ArrayBuffer) => readChunk(buffer, chunkTable.storesIn(chunk));
          return [chunk, parse(values[index], read)];
        }),
      );
      return {
        chunks: numbers.map((chunk) => chunks.get(chunk) as Chunk),
        indexes: stores.map(
          (store, index) => store - (chunkTable.firsts[numbers[index] as number] ?? 0),
        ),
      };
    },
  };
}

function refOf({ lengths, hash }: ChunkTable, chunk: number): ObjectRef {
  return { hash: hash(chunk), bytes: lengths[chunk] as number };
}

/** Handles an error of reading a published release: null where that is damaged. */
export function ignoreDamage(error: unknown): null {
  if (error instanceof CommandError && error.code === 'release_damaged') return null;
  throw error;
}

/** Sums the bytes of a release's objects; parts with equal content are one object. */
export function totalBytes({ parts, chunkBytes }: Manifest): number {
  const objects = new Map(Object.values(parts).map(({ hash, bytes }) => [hash, bytes]));
  return [...objects.values()].reduce((sum, bytes) => sum + bytes, chunkBytes);
}
