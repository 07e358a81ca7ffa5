/**
 * `snapshot prune`: what is no longer kept is deleted; or the snapshots of another format version, all of them, which
 * are left of an upgrade once its Worker will not come back.
 */
import * as z from 'zod';
import { DAY } from '../../src/hours/clock.ts';
import { timestampSchema } from '../../src/model/timestamp.ts';
import { FORMAT_VERSION, pointerKeyIn, runKeyIn, snapshotPrefix } from '../../src/snapshot/keys.ts';
import { CommandError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import { plural } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import {
  collectedJson,
  deleteCollectable,
  deleteKeys,
  describeCollected,
  findCollectable,
} from '../release/collect.ts';
import { awaitReaders } from '../release/objects.ts';
import { openLog, readLog } from '../release/open-log.ts';
import { deleteAll, listKeys, parseJson, type SnapshotTarget } from '../storage/key-value-store.ts';
import { openTarget } from '../storage/open-target.ts';

interface PruneChoice extends PlaceOptions {
  readonly version?: number;
  readonly dryRun?: boolean;
}

export async function prune(options: PruneChoice, context: CommandContext) {
  await using target = await openTarget(options, context);
  const { version, dryRun = false } = options;
  const told = dryRun ? 'would delete' : 'deleted';
  if (version !== undefined) {
    const { length: keys } = await pruneVersion(target, version, dryRun);
    return {
      data: { dryRun, version, keys },
      text: `${told} everything of version ${version}: ${plural(keys, 'key')}`,
    };
  }
  const { head } = await openLog(target, { dryRun });
  const found = await findCollectable(target, head);
  if (!dryRun) await deleteCollectable(target, found);
  return {
    data: { dryRun, ...collectedJson(found) },
    text: `${told} ${describeCollected(found)}`,
  };
}

/** Milliseconds for which a version that is no longer published may be gone back to. */
const WEEK = 7 * DAY;

/** All that is known of another version: when its pointer was turned, or when a publication last ran. */
const timeSchema = z.union([
  z.looseObject({ publishedAt: z.iso.datetime() }).transform(({ publishedAt }) => publishedAt),
  z.looseObject({ ranAt: timestampSchema }).transform(({ ranAt }) => ranAt),
]);

/**
 * Deletes everything of another version than the one of this tool, and returns its keys, without the keys of the log.
 *
 * The pointer goes first, in the reverse order of publishing: a Worker that still reads this version
 * then says that nothing is published, instead of following a pointer to objects that are gone.
 * When it is cut short, the next one deletes the rest.
 * @param dryRun whether nothing is deleted
 * @throws CommandError version_in_use, version_unreadable, version_alone
 */
export async function pruneVersion(
  target: SnapshotTarget,
  version: number,
  dryRun = false,
): Promise<string[]> {
  const { objects, ledger } = target;
  await refuseInUse(target, version);
  const prefix = snapshotPrefix(version);
  const keys = await listKeys(objects, prefix);
  if (dryRun) return keys;
  const pointer = pointerKeyIn(version);
  const others = keys.filter((key) => key !== pointer);
  await objects.delete(pointer);
  // Readers may see for a while a pointer that is gone, perhaps since a run that was cut short just now.
  if (others.length > 0) await awaitReaders(target);
  await deleteKeys(target, others);
  // The log, where that lies elsewhere.
  await deleteAll(ledger, await listKeys(ledger, prefix));
  return keys;
}

/** Refuses to prune a version in use. @throws CommandError unless ours is published, and the other was not lately */
async function refuseInUse(target: SnapshotTarget, version: number): Promise<void> {
  if (!(await readLog(target)).head) {
    const message = `nothing of version ${FORMAT_VERSION} is live here, so version ${version} may be all there is; nothing was deleted`;
    throw new CommandError(message, 'version_alone');
  }
  let latest = Number.NEGATIVE_INFINITY;
  // A job that finds nothing to change publishes with both tools all the same, and turns no pointer.
  for (const key of [pointerKeyIn(version), runKeyIn(version)]) {
    const bytes = await target.objects.get(key);
    if (!bytes) break;
    const time = parseJson(bytes, timeSchema);
    if (time === null) {
      const message = `the key ${key} cannot be read, so version ${version} may be in use; nothing was deleted`;
      throw new CommandError(message, 'version_unreadable', {
        explanation: 'If no Worker reads that version, delete that key and prune again.',
      });
    }
    latest = Math.max(latest, Date.parse(time));
  }
  if ((await target.ledger.now()) - latest >= WEEK) return;
  const time = new Date(latest).toISOString();
  const message = `version ${version} was published less than a week ago, ${time}, and may be in use; nothing was deleted`;
  throw new CommandError(message, 'version_in_use');
}
