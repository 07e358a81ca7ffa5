/**
 * Reads a release for tools, wherever it lies: every object is checked by its length and hash.
 *
 * The Worker gives a read up after seconds, for a partner waits. Over Cloudflare's API a read may
 * have to wait for minutes, so tools read on their own, and only what they need.
 */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import { CHUNKS_PART, type Chunk, readChunk } from '../../src/snapshot/chunks.ts';
import { expectEqual, type Part, SnapshotFormatError } from '../../src/snapshot/column-file.ts';
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

export type ReleaseReader = ReturnType<typeof readRelease>;

/**
 * Returns a reader of a release. All that it has throws CommandError when an object is missing or damaged:
 * release_damaged, or live_unreadable for the live release with which another is compared.
 */
export function readRelease(release: CompiledRelease, isLive = false) {
  const { manifest } = release;
  const explainDamage = (error: unknown): never => {
    if (!(error instanceof SnapshotFormatError)) throw error;
    const { release } = manifest;
    const message = `release ${release} cannot be read: ${error.message}`;
    if (!isLive) {
      throw new CommandError(message, 'release_damaged', { details: { release }, cause: error });
    }
    const words = `the live release cannot be compared with: ${message}; publish --force --afresh replaces it`;
    throw new CommandError(words, 'live_unreadable', { cause: error });
  };
  /** By the name of their part. */
  const tables = new Map<string, unknown>();
  const table = async <Table>({ name, read }: Part<Table>): Promise<Table> => {
    const known = tables.get(name) as Table | undefined;
    if (known !== undefined) return known;
    const open = async () => {
      const { parts, storeCount } = manifest;
      const ref = parts[name];
      if (!ref) throw new SnapshotFormatError(`it has no part ${name}`);
      const [buffer] = await readObjects(release, [ref]);
      return read(buffer as ArrayBuffer, storeCount);
    };
    const found = await open().catch(explainDamage);
    tables.set(name, found);
    return found;
  };
  return {
    manifest,
    table,

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
      const open = async () => {
        const refs = asked.map((chunk) => ({
          hash: chunkTable.hash(chunk),
          bytes: chunkTable.lengths[chunk] as number,
        }));
        const buffers = await readObjects(release, refs);
        return new Map(
          asked.map((chunk, index) => {
            const buffer = buffers[index] as ArrayBuffer;
            return [chunk, readChunk(buffer, chunkTable.storesIn(chunk))];
          }),
        );
      };
      const chunks = await open().catch(explainDamage);
      return {
        chunks: numbers.map((chunk) => chunks.get(chunk) as Chunk),
        indexes: stores.map(
          (store, index) => store - (chunkTable.firsts[numbers[index] as number] ?? 0),
        ),
      };
    },
  };
}

/**
 * Returns the bytes of objects, each in a buffer of its own.
 * @throws SnapshotFormatError when one is missing or damaged
 */
async function readObjects(
  release: CompiledRelease,
  refs: readonly ObjectRef[],
): Promise<ArrayBuffer[]> {
  const values = await release.readObjects(refs);
  const expectWhole = async ({ hash, bytes }: ObjectRef, index: number) => {
    const found = values[index];
    if (!found) throw new SnapshotFormatError(`object ${hash} is missing`);
    expectEqual(`object ${hash} length`, found.length, bytes);
    expectEqual('object hash', await objectHash(found), hash);
    return found.slice().buffer as ArrayBuffer;
  };
  return Promise.all(refs.map(expectWhole));
}

/** Handles an error of reading a release: null where that is damaged. */
export function ignoreDamage(error: unknown): null {
  if (error instanceof CommandError && error.code === 'release_damaged') return null;
  throw error;
}

/** Sums the bytes of a release's objects; parts with equal content are one object. */
export function totalBytes({ parts, chunkBytes }: Manifest): number {
  const objects = new Map(Object.values(parts).map(({ hash, bytes }) => [hash, bytes]));
  return [...objects.values()].reduce((sum, bytes) => sum + bytes, chunkBytes);
}
