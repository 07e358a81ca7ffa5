/** `snapshot prune` and `snapshot purge`: what is no longer kept is deleted, or everything but what is live. */
import { UsageError } from '../cli/command-error.ts';
import {
  type PlaceOptions,
  placeName,
  type SignatureChoice,
  signatureOf,
} from '../cli/common-options.ts';
import { plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { type Collectable, deleteCollectable, findCollectable } from '../release/collect.ts';
import { nameOf } from '../release/log-entry.ts';
import { nothingLiveError, openLog, readLog } from '../release/open-log.ts';
import { pruneVersion } from '../release/prune-version.ts';
import { purgeReleases } from '../release/purge.ts';
import { openTarget } from '../storage/open-target.ts';

interface PruneChoice extends PlaceOptions {
  readonly version?: number;
  readonly dryRun?: boolean;
}

/** `snapshot prune`: what is no longer kept is deleted. */
export async function prune(options: PruneChoice, context: CommandContext) {
  await using target = await openTarget(options, context);
  const { env, version, dryRun = false } = options;
  const told = `${placeName(options)}: ${dryRun ? 'would delete' : 'deleted'}`;
  if (version !== undefined) {
    const { length: keys } = await pruneVersion(target, { version, dryRun, ...context });
    return {
      data: { environment: env, dryRun, version, keys },
      text: () => `${told} everything of version ${version}: ${plural(keys, 'key')}`,
    };
  }
  const found = await findCollectable(target, await openLog(target, { dryRun, ...context }));
  if (!dryRun) await deleteCollectable(target, found, context);
  return {
    data: { environment: env, dryRun, ...collectedJson(found) },
    text: () => `${told} ${describeCollected(found)}`,
  };
}

interface PurgeChoice extends SignatureChoice, PlaceOptions {
  readonly yes?: boolean;
}

const PURGE_COST = [
  'No rollback is possible then, until another release is published.',
  'Partners who keep a copy by changes have to walk the whole list anew.',
  'The live release is uploaded once more. When Workers read the new copy (after three minutes on Cloudflare), the rest is deleted.',
].join('\n');

/** `snapshot purge`: everything but what is live goes, now. */
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
    // A machine is told of it nowhere else.
    throw new UsageError('nothing was deleted: give --yes to delete it', 'usage', {
      details: facts,
    });
  }
  const order = { signature: signatureOf(options), ...context };
  const { entry, deleted } = await purgeReleases(target, order);
  return {
    data: { ...facts, ...collectedJson(deleted) },
    text: () =>
      `${place}: deleted ${describeCollected(deleted)}; release ${nameOf(entry)} is live, and the only one`,
  };
}

/** What was deleted, as prune and purge tell it. */
function describeCollected({ releases, generations, objects }: Collectable): string {
  const from = generations.length > 0 ? ` of ${plural(generations.length, 'generation')}` : '';
  return `${plural(releases.length, 'release name')} and ${plural(objects.length, 'object')}${from}`;
}

/** The same for machines, which publish tells too. */
export function collectedJson({ releases, generations, objects }: Collectable) {
  return {
    deletedReleases: releases,
    deletedGenerations: generations,
    deletedObjects: objects.length,
  };
}
