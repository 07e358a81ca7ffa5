/** `snapshot prune`: what is no longer kept is deleted. */
import { type PlaceOptions, placeName } from '../cli/common-options.ts';
import { plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { type Collectable, deleteCollectable, findCollectable } from '../release/collect.ts';
import { openLog } from '../release/open-log.ts';
import { pruneVersion } from '../release/prune-version.ts';
import { openTarget } from '../storage/open-target.ts';

interface PruneChoice extends PlaceOptions {
  readonly version?: number;
  readonly dryRun?: boolean;
}

export async function run(options: PruneChoice, context: CommandContext) {
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

/** What was deleted, as publish, prune and purge tell it. */
export function describeCollected({ releases, generations, objects }: Collectable): string {
  const from = generations.length > 0 ? ` of ${plural(generations.length, 'generation')}` : '';
  return `${plural(releases.length, 'release name')} and ${plural(objects.length, 'object')}${from}`;
}

/** The same for machines. */
export function collectedJson({ releases, generations, objects }: Collectable) {
  return {
    deletedReleases: releases,
    deletedGenerations: generations,
    deletedObjects: objects.length,
  };
}
