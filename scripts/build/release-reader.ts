/**
 * Reads a release for tools, wherever it lies: every object is checked by its length and hash.
 *
 * The Worker gives a read up after seconds, for a partner waits. Over Cloudflare's API a read may
 * have to wait for minutes, so tools read on their own, and only what they need.
 */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import { Chunk } from '../../src/snapshot/chunk.ts';
import { CHUNKS_PART } from '../../src/snapshot/chunk-table.ts';
import { ComparedStores } from '../../src/snapshot/compared-stores.ts';
import { expectEqual, SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import {
  COMPARED_NAME,
  type Manifest,
  type ObjectRef,
  objectHash,
} from '../../src/snapshot/manifest.ts';
import type { Part } from '../../src/snapshot/part.ts';
import { CommandError } from '../cli/command-error.ts';
import type { CompiledRelease } from './compiled-release.ts';

/** Everything here throws CommandError release_damaged when an object is missing or damaged. */
export class ReleaseReader {
  readonly manifest: Manifest;
  private readonly release: CompiledRelease;
  /** By the name of their part. */
  private readonly tables = new Map<string, unknown>();

  constructor(release: CompiledRelease) {
    this.release = release;
    this.manifest = release.manifest;
  }

  async compared(): Promise<ComparedStores> {
    const ids = await this.table(IDS_PART);
    const read = (part: ArrayBuffer) => new ComparedStores(part, ids);
    return this.table({ name: COMPARED_NAME, read });
  }

  /** The records of `stores`, in the same order. */
  async records(stores: readonly number[]): Promise<StoredRecords> {
    const table = await this.table(CHUNKS_PART);
    const numbers = stores.map((store) => table.chunkOf(store));
    const refs = new Map(
      numbers.map((chunk) => [
        chunk,
        { hash: table.hash(chunk), bytes: table.lengths[chunk] as number },
      ]),
    );
    const read = await explainDamage(this.manifest, async () => {
      const buffers = await readObjects(this.release, [...refs.values()]);
      const chunks = [...refs.keys()].map((number, place) => {
        return [number, new Chunk(buffers[place] as ArrayBuffer, table.storesIn(number))] as const;
      });
      return new Map(chunks);
    });
    return {
      chunks: numbers.map((number) => read.get(number) as Chunk),
      indexes: stores.map((store, place) => store - (table.firsts[numbers[place] as number] ?? 0)),
    };
  }

  async table<Table>({ name, read }: Part<Table>): Promise<Table> {
    const known = this.tables.get(name) as Table | undefined;
    if (known !== undefined) return known;
    const table = await explainDamage(this.manifest, async () => {
      const { parts, storeCount } = this.manifest;
      const ref = parts[name];
      if (!ref) throw new SnapshotFormatError(`it has no part ${name}`);
      const [buffer] = await readObjects(this.release, [ref]);
      return read(buffer as ArrayBuffer, storeCount);
    });
    this.tables.set(name, table);
    return table;
  }
}

/**
 * The bytes of objects, each in a buffer of its own.
 * @throws SnapshotFormatError when one is missing or damaged
 */
async function readObjects(
  release: CompiledRelease,
  refs: readonly ObjectRef[],
): Promise<ArrayBuffer[]> {
  const values = await release.readObjects(refs);
  const expectWhole = async ({ hash, bytes }: ObjectRef, place: number) => {
    const found = values[place];
    if (!found) throw new SnapshotFormatError(`object ${hash} is missing`);
    expectEqual(`object ${hash} length`, found.length, bytes);
    expectEqual('object hash', await objectHash(found), hash);
    return found.slice().buffer as ArrayBuffer;
  };
  return Promise.all(refs.map(expectWhole));
}

/** Runs `work` on a release and says which one it was if that cannot be read. @throws CommandError */
async function explainDamage<T>({ release }: Manifest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
    const message = `release ${release} cannot be read: ${error.message}`;
    throw new CommandError(message, 'release_damaged', { details: { release }, cause: error });
  }
}
