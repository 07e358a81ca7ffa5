/** `snapshot prune`: releases and objects that nobody needs are deleted. */
import { InvalidArgumentError, Option } from 'commander';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import {
  environmentOption,
  type PlaceOptions,
  placeName,
  remoteOption,
} from '../cli/environment-option.ts';
import { type CommandContext, type CommandResult, defineCommand } from '../cli/run-command.ts';
import { authorName } from '../release/author-name.ts';
import { breakLeaseOption, type LeaseChoice } from '../release/lease-option.ts';
import { type PrunePlan, planPrune, pruneReleases } from '../release/prune.ts';
import { OLDEST_VERSION, planVersionPrune, pruneVersion } from '../release/prune-version.ts';
import { plural } from '../source/format-faults.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { withTarget } from '../storage/open-target.ts';

const KEEP = 10;

interface PruneCommandOptions extends PlaceOptions, LeaseChoice {
  readonly keep: number;
  readonly version?: number;
  readonly dryRun?: boolean;
}

export const pruneCommand = defineCommand<PruneCommandOptions>({
  name: 'prune',
  summary:
    'Delete all but the releases that went live last, and every object that no kept one has. Refused while somebody publishes. Takes minutes on KV, whose lists are late.',
  declare: (command) => {
    command
      .addOption(
        new Option(
          '--keep <n>',
          'how many; the live one, the one before it and the one that rollback leads to stay in any case',
        )
          .argParser(readCount)
          .default(KEEP),
      )
      .addOption(
        new Option(
          '--version <n>',
          'delete everything of another format version instead; refused until a week after its last publication',
        )
          .argParser(readVersion)
          .conflicts('keep'),
      )
      .option('--dry-run', 'only say what would be deleted')
      .addOption(breakLeaseOption())
      .addOption(environmentOption('whose stores'))
      .addOption(remoteOption());
  },
  examples: [
    ['--env production --remote', 'keeps ten releases'],
    ['--keep 48 --dry-run --env production --remote', 'says what keeping 48 would delete'],
    [`--version ${FORMAT_VERSION - 1} --env production --remote`, 'ends an upgrade'],
  ],
  run: (options, context) => {
    const { version } = options;
    return withTarget(options, context, (target) =>
      version === undefined
        ? prune(target, options, context)
        : pruneOther(target, version, options, context),
    );
  },
});

async function prune(
  target: SnapshotTarget,
  options: PruneCommandOptions,
  { progress, signal }: CommandContext,
): Promise<CommandResult> {
  const { env, keep, dryRun = false, breakLease: breaking } = options;
  const choice = { keep, author: authorName(), breaking, progress, signal };
  const plan = await (dryRun ? planPrune(target, keep, progress) : pruneReleases(target, choice));
  const { kept, dropped, objects, keptObjects } = plan;
  const counts = { deletedObjects: objects.length, keptObjects };
  return {
    data: { environment: env, dryRun, kept, dropped, ...counts },
    text: () => `${placeName(options)}: ${describePrune(plan, dryRun)}`,
  };
}

function describePrune(
  { kept, dropped, objects, keptObjects }: PrunePlan,
  dryRun: boolean,
): string {
  const deleted = `${plural(dropped.length, 'release')} and ${plural(objects.length, 'object')}`;
  const left = `${plural(kept.length, 'release')} with ${plural(keptObjects, 'object')}`;
  return `${dryRun ? 'would delete' : 'deleted'} ${deleted}, ${dryRun ? 'keep' : 'kept'} ${left}`;
}

async function pruneOther(
  target: SnapshotTarget,
  version: number,
  options: PruneCommandOptions,
  { progress, signal }: CommandContext,
): Promise<CommandResult> {
  const { env, dryRun = false, breakLease: breaking } = options;
  const choice = { version, author: authorName(), now: new Date(), breaking, progress, signal };
  const plan = await (dryRun
    ? planVersionPrune(target, version, choice.now)
    : pruneVersion(target, choice));
  const { releases, objects, keys } = plan;
  const counts = {
    deletedReleases: releases,
    deletedObjects: objects,
    deletedKeys: keys.length,
  };
  const what = `${plural(releases, 'release')} and ${plural(objects, 'object')}`;
  const deed = `${dryRun ? 'would delete' : 'deleted'} everything of version ${version}`;
  return {
    data: { environment: env, dryRun, version, ...counts },
    text: () => `${placeName(options)}: ${deed}: ${what}, ${plural(keys.length, 'key')} in all`,
  };
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError('Expected an integer from 1.');
}

function readVersion(text: string): number {
  const version = Number(text);
  if (!/^\d{1,4}$/.test(text) || version < OLDEST_VERSION) {
    throw new InvalidArgumentError(`Expected a format version, an integer from ${OLDEST_VERSION}.`);
  }
  if (version === FORMAT_VERSION) {
    throw new InvalidArgumentError('That is the version of this tool: only others go as a whole.');
  }
  return version;
}
