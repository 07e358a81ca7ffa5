/**
 * `snapshot purge`: gives up every release but the live one at once, for a store or an address that has to vanish:
 * what is live is copied into a new generation, the log says that all else is given up, and once no Worker reads
 * the old generations any more they are deleted.
 *
 * When it is cut short before the end, another purge does all of it anew.
 */
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { ignoreDamage, type ReleaseReader } from '../build/release-reader.ts';
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
import { append, type Log, nextHead, readEntries } from '../release/log.ts';
import { type Decision, judgeLog, type LogEntry, nameOf, stayLive } from '../release/log-entry.ts';
import { awaitReaders, whileLate } from '../release/objects.ts';
import { nothingLiveError, openLog, readLog, writePointer } from '../release/open-log.ts';
import { planUpload, writeObjects } from '../release/write-objects.ts';
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
  const { head } = await readLog(target);
  if (!head) throw nothingLiveError();
  const { kept } = judgeLog(await readEntries(target, head));
  const { release } = head.manifest;
  const purged = new Set(kept.map(({ manifest }) => manifest.release));
  purged.delete(release);
  const facts = { live: release, purged: [...purged] };
  const others = purged.size === 0 ? 'no other one' : plural(purged.size, 'other kept release');
  context.remark(
    `${placeName(options)}: a purge keeps release ${nameOf(head)} alone, and deletes ${others}.\n${PURGE_COST}`,
  );
  if (!options.yes) {
    // Programs read it nowhere else.
    throw new UsageError('nothing was deleted: give --yes to delete it', 'usage', {
      details: facts,
    });
  }
  const { entry, deleted } = await purgeReleases(target, signatureOf(options));
  return {
    data: { ...facts, ...collectedJson(deleted) },
    text: `deleted ${describeCollected(deleted)}; release ${nameOf(entry)} is live, and the only one`,
  };
}

/**
 * Purges, and returns the entry that is live now, and what went.
 * @throws CommandError nothing_live, release_damaged, purge_unfinished; InterruptedError, which says that too
 */
export async function purgeReleases(target: SnapshotTarget, signature: Signature) {
  const log = await openLog(target);
  let { head } = log;
  if (!head) throw nothingLiveError();
  // Another decision may come first; what is live then is copied anew.
  for (;;) {
    const manifest = await copyLive(target, { ...log, head }, head);
    target.context.signal.throwIfAborted();
    const entry: Decision = {
      ...stayLive(head, signature),
      kind: 'purge',
      manifest,
      newest: manifest.generation,
      before: null,
      back: null,
    };
    if (await append(target, entry)) {
      return { entry, deleted: await deleteOthers(target, entry) };
    }
    head = await nextHead(target, head);
  }
}

/** Writes what is live into another generation. @throws CommandError release_damaged */
async function copyLive(
  target: SnapshotTarget,
  log: Log,
  { manifest }: LogEntry,
): Promise<PublishedManifest> {
  const live = log.open(manifest);
  /** Reads again what storage shows late. */
  const late = async <T>(read: () => Promise<T>) =>
    (await whileLate(target, () => read().catch(ignoreDamage))) ?? read();
  const patient: ReleaseReader = {
    ...live,
    refs: () => late(live.refs),
    objects: (refs) => late(() => live.objects(refs)),
  };
  const plan = await planUpload(patient, target, log, true);
  await writeObjects(target, plan);
  return plan.manifest;
}

async function deleteOthers(target: SnapshotTarget, entry: Decision): Promise<Collectable> {
  try {
    await writePointer(target, entry);
    await awaitReaders(target);
    const found = await findCollectable(target, entry, null, true);
    await deleteCollectable(target, found);
    return found;
  } catch (cause) {
    const state = `release ${nameOf(entry)} is live in a generation of its own, but not everything else was deleted`;
    // Local storage may have heard the signal too, and failed before the work noticed it.
    if (cause instanceof InterruptedError || target.context.signal.aborted) {
      throw new InterruptedError(`${state}; run purge again`);
    }
    const message = `${state}: ${messageOf(cause)}; run purge again`;
    throw new CommandError(message, 'purge_unfinished', { cause });
  }
}
