/** `snapshot prune`: releases and objects that nobody needs are deleted. */
import { InvalidArgumentError, Option } from 'commander';
import {
  environmentOption,
  type PlaceOptions,
  placeName,
  remoteOption,
} from '../cli/environment-option.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import { authorName } from '../publish/author-name.ts';
import { breakLeaseOption, type LeaseChoice } from '../publish/lease-option.ts';
import { withTarget } from '../publish/open-target.ts';
import type { SnapshotTarget } from '../publish/snapshot-target.ts';
import { type PrunePlan, planPrune, pruneReleases } from '../releases/prune.ts';
import { plural } from '../source/format-faults.ts';

const KEEP = 10;

interface PruneCommandOptions extends PlaceOptions, LeaseChoice {
  readonly keep: number;
  readonly dryRun?: boolean;
}

export const pruneCommand = defineCommand<PruneCommandOptions>({
  name: 'prune',
  summary:
    'Delete all but the releases that went live last, and every object that no kept one has. Refused while somebody publishes. Takes minutes on KV, whose lists are late.',
  declare: (command) => {
    command
      .addOption(
        new Option('--keep <n>', 'how many; the live one and the one before it stay in any case')
          .argParser(readCount)
          .default(KEEP),
      )
      .option('--dry-run', 'only say what would be deleted')
      .addOption(breakLeaseOption())
      .addOption(environmentOption('whose stores'))
      .addOption(remoteOption());
  },
  examples: [
    ['--env production --remote', 'keeps ten releases'],
    ['--keep 48 --dry-run --env production --remote', 'says what keeping 48 would delete'],
  ],
  run: async (options, context) => {
    const plan = await withTarget(options, context, (target) => prune(target, options, context));
    const { kept, dropped, objects, keptObjects } = plan;
    const { env, dryRun = false } = options;
    return {
      data: {
        environment: env,
        dryRun,
        kept,
        dropped,
        deletedObjects: objects.length,
        keptObjects,
      },
      text: () => `${placeName(options)}: ${describePrune(plan, dryRun)}`,
    };
  },
});

async function prune(
  target: SnapshotTarget,
  { keep, dryRun = false, breakLease: breaking }: PruneCommandOptions,
  { progress, signal }: CommandContext,
): Promise<PrunePlan> {
  if (dryRun) return planPrune(target, keep, progress);
  return pruneReleases(target, { keep, author: authorName(), breaking, progress, signal });
}

function describePrune(
  { kept, dropped, objects, keptObjects }: PrunePlan,
  dryRun: boolean,
): string {
  const deleted = `${plural(dropped.length, 'release')} and ${plural(objects.length, 'object')}`;
  const left = `${plural(kept.length, 'release')} with ${plural(keptObjects, 'object')}`;
  return `${dryRun ? 'would delete' : 'deleted'} ${deleted}, ${dryRun ? 'keep' : 'kept'} ${left}`;
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError('Expected an integer from 1.');
}
