/** Reads a release the way the Worker does, wherever it lies: every object checked by its hash. */
import { ByteBudgetCache } from '../../src/cache/byte-budget-cache.ts';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { ObjectReader } from '../../src/load/object-reader.ts';
import { ProblemError } from '../../src/problem.ts';
import { SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import type { Chunk } from '../../src/snapshot/record-reader.ts';
import type { SnapshotSource } from '../../src/storage/snapshot-source.ts';
import { CommandError } from '../cli/command-error.ts';
import type { CompiledRelease } from '../publish/compiled-release.ts';

/** Chunks kept in memory: enough for neighbours on the curve, read one after another. */
const CHUNK_BUDGET_BYTES = 32 * 1024 * 1024;

/** @throws CommandError release_damaged when its store table is missing or not what it was */
export function loadRelease(release: CompiledRelease): Promise<LoadedRelease> {
  const objects = new ObjectReader(sourceOf(release));
  const chunks = new ByteBudgetCache<Chunk>(CHUNK_BUDGET_BYTES, ({ bytes }) => bytes.byteLength);
  // The time of publication is for answers over HTTP; nobody asks here.
  return explainDamage(release, () =>
    LoadedRelease.load(release.manifest, new Date(0), objects, chunks),
  );
}

/** Runs `work` on a release and says which one it was if that cannot be read. @throws CommandError */
export async function explainDamage<T>(
  { manifest }: Pick<CompiledRelease, 'manifest'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isDamage = error instanceof ProblemError || error instanceof SnapshotFormatError;
    if (!isDamage) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new CommandError(`release ${manifest.release} cannot be read: ${reason}`, {
      code: 'release_damaged',
      details: { release: manifest.release },
      cause: error,
    });
  }
}

function sourceOf({ readObject }: CompiledRelease): SnapshotSource {
  return {
    read: async (key) => {
      const bytes = await readObject(key.slice(OBJECT_PREFIX.length));
      return bytes ? (bytes.slice().buffer as ArrayBuffer) : null;
    },
  };
}
