/** Deletes what nothing refers to, and never by a reading that is older than five minutes. */
import { objectKey, releaseKey } from '../../src/snapshot/keys.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Progress } from '../cli/progress.ts';
import { deleteAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { References } from './references.ts';

/**
 * Milliseconds after a reading within which one may delete by it. A publication that did not find
 * what it needs waits for twice as long after its intent.
 */
export const READING_LIFETIME = 5 * 60_000;

/** Keys deleted between two looks at the clock. */
const BATCH = 1_000;

/** Ids and hashes of what is to be deleted, or has been. */
export interface ReleasesAndObjects {
  /** Ids. */
  readonly releases: readonly string[];
  /** Hashes. */
  readonly objects: readonly string[];
}

export interface DeleteOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970, by this machine. */
  readonly now: () => number;
  /** Reads anew what is needed. */
  readonly readReferences: () => Promise<References>;
}

class ReadingExpired extends Error {}

/** By the clock of the storage, for that of this machine may be set meanwhile. */
async function expectRecent({ ledger }: SnapshotTarget, { readAt }: References): Promise<void> {
  if ((await ledger.now()) - readAt > READING_LIFETIME) throw new ReadingExpired();
}

/** Deletes what of `deletable` is not needed, releases first, and returns what that was. */
export async function deleteUnreferenced(
  target: SnapshotTarget,
  deletable: ReleasesAndObjects,
  first: References,
  { progress, signal, now, readReferences }: DeleteOptions,
): Promise<ReleasesAndObjects> {
  let references = first;
  const deleted = { releases: [] as string[], objects: [] as string[] };
  const guard = () => {
    const age = now() - references.readAtHere;
    // A clock that was set back tells nothing.
    if (age < 0 || age > READING_LIFETIME) throw new ReadingExpired();
  };
  const remove = async (
    ids: readonly string[],
    area: keyof ReleasesAndObjects,
    keyOf: (id: string) => string,
  ) => {
    for (let start = 0; start < ids.length; start += BATCH) {
      signal.throwIfAborted();
      const batch = ids.slice(start, start + BATCH);
      for (;;) {
        // Another run may have done with what this one found condemned.
        const pending = references.kept.condemned.pending(area);
        const free = batch.filter((id) => pending.has(id) && !references[area].has(id));
        try {
          await expectRecent(target, references);
          await deleteAll(target.objects, free.map(keyOf), guard);
          deleted[area].push(...free);
          break;
        } catch (error) {
          if (!(error instanceof ReadingExpired)) throw error;
          references = await readReferences();
        }
      }
      progress.update(deleted.releases.length + deleted.objects.length);
    }
  };
  progress.begin('Deleting', deletable.releases.length + deletable.objects.length, 'objects');
  await remove(deletable.releases, 'releases', releaseKey);
  await remove(deletable.objects, 'objects', objectKey);
  return deleted;
}

/** The message of a prune that cannot tell what is needed. */
export function nothingDeleted(error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  const { code, details } = error;
  return new CommandError(`${error.message}; nothing was deleted`, { code, details, cause: error });
}
