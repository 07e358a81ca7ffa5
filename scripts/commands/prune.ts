/** `snapshot prune`: what is no longer kept is deleted. */
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { integerFrom } from '../cli/option-values.ts';
import { plural } from '../cli/progress.ts';
import { type Collectable, deleteCollectable, findCollectable } from '../release/collect.ts';
import { openLog } from '../release/open-log.ts';
import { pruneVersion } from '../release/prune-version.ts';
import { defineReleaseCommand } from './placed-command.ts';

interface PruneCommandOptions {
  readonly version?: number;
  readonly dryRun?: boolean;
}

export const pruneCommand = defineReleaseCommand<PruneCommandOptions>('prune', {
  summary:
    'Delete what stopped being kept over a day ago. Releases are kept that were live within eight days, and at least the last ten. The first publication of a day prunes too.',
  declare: (command) => {
    command
      .option(
        '--version <n>',
        'delete everything of an older format version instead; possible a week after its last publication',
        integerFrom(1, FORMAT_VERSION - 1),
      )
      .option('--dry-run', 'only say what would be deleted');
  },
  examples: [
    ['--env production --remote', 'deletes what is due'],
    ['--dry-run --env production --remote', 'says what would be deleted'],
    [
      `--version ${FORMAT_VERSION - 1} --env production --remote`,
      'removes the old version after an upgrade',
    ],
  ],
  run: async (target, { env, place, version, dryRun = false }, context) => {
    const deed = dryRun ? 'would delete' : 'deleted';
    if (version !== undefined) {
      const keys = await pruneVersion(target, { version, dryRun, ...context });
      const what = `everything of version ${version}: ${plural(keys.length, 'key')}`;
      return {
        data: { environment: env, dryRun, version, keys: keys.length },
        text: () => `${place}: ${deed} ${what}`,
      };
    }
    const found = await findCollectable(target, await openLog(target, { dryRun, ...context }));
    if (!dryRun) await deleteCollectable(target, found, context);
    return {
      data: { environment: env, dryRun, ...collectedJson(found) },
      text: () => `${place}: ${deed} ${describeCollected(found)}`,
    };
  },
});

/** What was deleted, as publish, prune and purge tell it. */
export function describeCollected({ releases, generations, objects }: Collectable): string {
  const from = generations.length > 0 ? ` of ${plural(generations.length, 'generation')}` : '';
  return `${plural(releases.length, 'release')} and ${plural(objects.length, 'object')}${from}`;
}

/** The same for machines. */
export function collectedJson({ releases, generations, objects }: Collectable) {
  return {
    deletedReleases: releases,
    deletedGenerations: generations,
    deletedObjects: objects.length,
  };
}
