/**
 * Gives up every release but the live one at once, for a store or an address that has to vanish: what is
 * live is copied into a new generation, the log says that all else is given up, and once no Worker reads
 * the old generations any more they are deleted.
 *
 * When it is cut short before the end, another purge does all of it anew.
 */

import { type ObjectRef, objectHash, type PublishedManifest } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { CommandError } from '../cli/command-error.ts';
import { InterruptedError, messageOf } from '../cli/describe-error.ts';
import type { Signature } from '../cli/signature-options.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type Collectable, deleteCollectable, findCollectable } from './collect.ts';
import { append, nextHead } from './log.ts';
import { type LogEntry, nameOf, type Stay } from './log-entry.ts';
import { nameGeneration } from './log-rule.ts';
import { type ObjectWatch, tally } from './objects.ts';
import { nothingLiveError, openLog } from './open-log.ts';
import { writePointer } from './pointer-copy.ts';
import { OTHER_WRITES } from './publication.ts';
import { PublishedReleases, whileLate } from './published-objects.ts';
import { writeObjects } from './write-objects.ts';

export interface PurgeOptions extends ObjectWatch {
  readonly signature: Signature;
  /** Told what went wrong without ending the work. */
  readonly remark?: (text: string) => void;
  /** Told before the wait for Workers that may still read what goes; milliseconds. */
  readonly onWait?: (milliseconds: number) => void;
}

/**
 * Purges, and returns the entry that is live now, and what went.
 * @throws CommandError nothing_live, release_incomplete, release_damaged, purge_unfinished;
 *   InterruptedError, which says that too
 */
export async function purgeReleases(target: SnapshotTarget, options: PurgeOptions) {
  let head = await openLog(target, options.remark);
  // Another decision may come first; what is live then is copied anew.
  while (head) {
    const generation = nameGeneration(await target.ledger.now(), head);
    const objects = await copyLive(target, head, generation, options);
    options.signal?.throwIfAborted();
    const entry = await append(target, decide(head, generation, objects, options), head.number + 1);
    if (entry) return { entry, deleted: await deleteOthers(target, entry, options) };
    head = await nextHead(target, head);
  }
  throw nothingLiveError();
}

/** Writes what is live into another generation. @throws CommandError release_incomplete */
async function copyLive(
  target: SnapshotTarget,
  { manifest: live }: LogEntry,
  generation: string,
  options: PurgeOptions,
): Promise<readonly ObjectRef[]> {
  const published = new PublishedReleases(target);
  const release = published.open(live);
  const listed = await whileLate(target, async () => {
    const found = await published.listIfSound(live);
    return found.length > 0 ? found : null;
  });
  const objects = listed ?? (await published.listObjects(live));
  const manifest: PublishedManifest = { ...live, generation };
  const read = async (some: readonly ObjectRef[]) => {
    const values = await release.readObjects(some);
    return Promise.all(
      some.map(async ({ hash }) => {
        const bytes = values.get(hash);
        const isWhole = bytes && (await objectHash(bytes)) === hash;
        return isWhole ? bytes : readLate(target, release, hash);
      }),
    );
  };
  await writeObjects(target.objects, { manifest, objects, read }, options);
  return objects;
}

/** @throws CommandError release_incomplete */
async function readLate(
  target: SnapshotTarget,
  { manifest, readObject }: CompiledRelease,
  hash: string,
): Promise<Uint8Array> {
  const bytes = await whileLate(target, async () => {
    const found = await readObject(hash);
    return found && (await objectHash(found)) === hash ? found : null;
  });
  if (bytes) return bytes;
  const message = `object ${hash} of release ${manifest.release} is missing or damaged, so that it cannot be copied; publish --afresh first`;
  throw new CommandError(message, { code: 'release_incomplete', details: { hash } });
}

function decide(
  head: Stay,
  generation: string,
  objects: readonly ObjectRef[],
  { signature }: PurgeOptions,
) {
  return {
    ...head,
    ...signature,
    kind: 'purge' as const,
    manifest: { ...head.manifest, generation },
    newest: generation,
    before: null,
    back: null,
    cost: { writes: objects.length + OTHER_WRITES, bytes: tally(objects).bytes },
  };
}

async function deleteOthers(
  target: SnapshotTarget,
  entry: LogEntry,
  options: PurgeOptions,
): Promise<Collectable> {
  try {
    await writePointer(target, entry);
    if (target.readersWait > 0) options.onWait?.(target.readersWait);
    await target.clock.sleep(target.readersWait, options.signal);
    const head = await nextHead(target, entry);
    const found = await findCollectable(target, head, null, entry.number);
    await deleteCollectable(target, found, options);
    return found;
  } catch (cause) {
    throw unfinished(entry, cause, options);
  }
}

/** The error of a purge that was decided, and is to be run again. */
function unfinished(entry: LogEntry, cause: unknown, { signal }: PurgeOptions): Error {
  const live = nameOf(entry);
  const state = `release ${live} is live in a generation of its own, but not everything else was deleted`;
  const details = { live, unfinished: true };
  // Local storage may have heard the signal too, and failed before the work noticed it.
  if (cause instanceof InterruptedError || signal?.aborted) {
    return new InterruptedError({ outcome: `${state}; run purge again`, details });
  }
  const message = `${state}: ${messageOf(cause)}; run purge again`;
  return new CommandError(message, { code: 'purge_unfinished', details, cause });
}
