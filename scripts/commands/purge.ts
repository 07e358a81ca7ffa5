/**
 * `snapshot purge`: gives up every release but the live one at once, for a store or an address that has to vanish:
 * what is live is copied into a new generation, the log says that all else is given up, and once no Worker reads
 * the old generations any more they are deleted.
 *
 * When it is cut short before the end, another purge does all of it anew.
 */
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { CommandError, InterruptedError, messageOf, UsageError } from '../cli/command-error.ts';
import {
  type PlaceOptions,
  placeName,
  type Signature,
  type SignatureChoice,
  signatureOf,
} from '../cli/common-options.ts';
import { plural } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import {
  type Collectable,
  collectedJson,
  deleteCollectable,
  describeCollected,
  findCollectable,
} from '../release/collect.ts';
import { append, logFrom, nextHead } from '../release/log.ts';
import {
  type Decision,
  type LogEntry,
  nameGeneration,
  nameOf,
  stayLive,
} from '../release/log-entry.ts';
import {
  awaitReaders,
  isWhole,
  listObjects,
  publishedReleases,
  whileLate,
} from '../release/objects.ts';
import { nothingLiveError, openLog, readLog, writePointer } from '../release/open-log.ts';
import { writeObjects } from '../release/write-objects.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { openTarget } from '../storage/open-target.ts';

interface PurgeChoice extends SignatureChoice, PlaceOptions {
  readonly yes?: boolean;
}

const PURGE_COST = [
  'No rollback is possible then, until another release is published.',
  'Partners who keep a copy by changes have to walk the whole list anew.',
  'The live release is uploaded once more. When Workers read the new copy (after three minutes on Cloudflare), the rest is deleted.',
].join('\n');

export async function purge(options: PurgeChoice, context: CommandContext) {
  await using target = await openTarget(options, context);
  const { env, yes = false } = options;
  const place = placeName(options);
  const log = await readLog(target);
  const { head } = log;
  if (!head) throw nothingLiveError();
  const { kept } = await log.rule();
  const releases = kept.map(({ manifest }) => manifest.release);
  const purged = [...new Set(releases)].filter((id) => id !== head.manifest.release);
  const facts = { environment: env, live: head.manifest.release, purged };
  const others = purged.length === 0 ? 'no other one' : plural(purged.length, 'other kept release');
  context.remark(
    `${place}: a purge keeps release ${nameOf(head)} alone, and deletes ${others}.\n${PURGE_COST}`,
  );
  if (!yes) {
    // Programs read it nowhere else.
    throw new UsageError('nothing was deleted: give --yes to delete it', 'usage', {
      details: facts,
    });
  }
  const { entry, deleted } = await purgeReleases(target, signatureOf(options));
  return {
    data: { ...facts, ...collectedJson(deleted) },
    text: `${place}: deleted ${describeCollected(deleted)}; release ${nameOf(entry)} is live, and the only one`,
  };
}

/**
 * Purges, and returns the entry that is live now, and what went.
 * @throws CommandError nothing_live, release_incomplete, release_damaged, purge_unfinished;
 *   InterruptedError, which says that too
 */
export async function purgeReleases(target: SnapshotTarget, signature: Signature) {
  let { head } = await openLog(target);
  if (!head) throw nothingLiveError();
  // Another decision may come first; what is live then is copied anew.
  for (;;) {
    const generation = nameGeneration(await target.ledger.now(), head);
    await copyLive(target, head, generation);
    target.context.signal.throwIfAborted();
    const entry = nextEntry(head, generation, signature);
    if (await append(target, entry)) {
      return { entry, deleted: await deleteOthers(target, entry) };
    }
    head = await nextHead(target, head);
  }
}

/** Writes what is live into another generation. @throws CommandError release_incomplete */
async function copyLive(
  target: SnapshotTarget,
  { manifest: live }: LogEntry,
  generation: string,
): Promise<void> {
  const published = publishedReleases(target);
  const release = published.open(live);
  const listed = await whileLate(target, () => published.listIfSound(live));
  const objects = listed ?? (await listObjects(release));
  const read = async (some: readonly ObjectRef[]) => {
    const look = async () => {
      const values = await release.readObjects(some);
      const areWhole = await Promise.all(
        some.map(({ hash }, index) => isWhole(values[index], hash)),
      );
      return { values, lost: some[areWhole.indexOf(false)] };
    };
    const { values, lost } = await whileLate(target, look, (found) => !found.lost);
    if (!lost) return values as Uint8Array[];
    const { hash } = lost;
    const message = `object ${hash} of release ${live.release} is missing or damaged, so that it cannot be copied; publish --afresh first`;
    throw new CommandError(message, 'release_incomplete', { details: { hash } });
  };
  const manifest = { ...live, generation };
  await writeObjects(target, { manifest, missing: objects, read });
}

function nextEntry(head: LogEntry, generation: string, signature: Signature): Decision {
  return {
    ...stayLive(head, signature),
    kind: 'purge',
    manifest: { ...head.manifest, generation },
    newest: generation,
    before: null,
    back: null,
  };
}

async function deleteOthers(target: SnapshotTarget, entry: Decision): Promise<Collectable> {
  try {
    await writePointer(target, entry);
    await awaitReaders(target);
    const log = logFrom(target, await nextHead(target, entry));
    const found = await findCollectable(target, log, null, entry.number);
    await deleteCollectable(target, found);
    return found;
  } catch (cause) {
    throw unfinished(entry, cause, target);
  }
}

/** Builds the error of a purge that was decided, and is to be run again. */
function unfinished(entry: Decision, cause: unknown, { context }: SnapshotTarget): Error {
  const live = nameOf(entry);
  const state = `release ${live} is live in a generation of its own, but not everything else was deleted`;
  const details = { live, unfinished: true };
  // Local storage may have heard the signal too, and failed before the work noticed it.
  if (cause instanceof InterruptedError || context.signal.aborted) {
    return new InterruptedError(`${state}; run purge again`, details);
  }
  const message = `${state}: ${messageOf(cause)}; run purge again`;
  return new CommandError(message, 'purge_unfinished', { details, cause });
}
