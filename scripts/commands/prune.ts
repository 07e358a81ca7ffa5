/** `snapshot prune`: releases and objects that nobody needs are deleted. */
import { InvalidArgumentError, Option } from 'commander';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { integerFrom } from '../cli/integer-from.ts';
import { type CommandContext, type CommandResult, defineCommand } from '../cli/run-command.ts';
import { LEAST_KEPT } from '../release/kept-releases.ts';
import { type PruneReport, planPrune, pruneReleases } from '../release/prune.ts';
import { planVersionPrune, pruneVersion } from '../release/prune-version.ts';
import { plural } from '../source/format-faults.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { withTarget } from '../storage/open-target.ts';

interface PruneCommandOptions extends PlaceOptions {
  readonly keep: number;
  readonly version?: number;
  readonly dryRun?: boolean;
}

export const pruneCommand = defineCommand<PruneCommandOptions>('prune', {
  summary:
    'Give up releases that were last live more than eight days ago (the latest ten are always kept), and every object that nothing needs. What is given up is deleted by a later run, at least a day after. Run it at least once a week.',
  declare: (command) => {
    command
      .addOption(
        new Option('--keep <n>', `keep at least so many releases; ${LEAST_KEPT} is the least`)
          .argParser(integerFrom(LEAST_KEPT))
          .default(LEAST_KEPT),
      )
      .addOption(
        new Option(
          '--version <n>',
          'delete everything of another format version instead; refused until a week after its last publication',
        )
          .argParser(readVersion)
          .conflicts('keep'),
      )
      .option('--dry-run', 'only say what would be deleted');
    declarePlace(command, 'whose stores');
  },
  examples: [
    ['--env production --remote', 'keeps what was live within eight days, and at least ten'],
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
  const { env, keep, dryRun = false } = options;
  const choice = { keep, progress, signal };
  const report = await (dryRun ? planPrune(target, choice) : pruneReleases(target, choice));
  const { kept, keptObjects, deleted, condemned } = report;
  return {
    data: {
      environment: env,
      dryRun,
      kept,
      keptObjects,
      deletedReleases: deleted.releases,
      deletedObjects: deleted.objects.length,
      condemnedReleases: condemned.releases,
      condemnedObjects: condemned.objects.length,
    },
    text: () => `${placeName(options)}: ${describePrune(report, dryRun)}`,
  };
}

function describePrune(
  { kept, keptObjects, deleted, condemned }: PruneReport,
  dryRun: boolean,
): string {
  const count = ({ releases, objects }: PruneReport['deleted']) =>
    `${plural(releases.length, 'release')} and ${plural(objects.length, 'object')}`;
  const [deletes, givesUp, keeps] = dryRun
    ? ['would delete', 'would give up', 'keep']
    : ['deleted', 'gave up', 'kept'];
  return `${deletes} ${count(deleted)}, ${givesUp} ${count(condemned)}, ${keeps} ${plural(kept.length, 'release')} with ${plural(keptObjects, 'object')}`;
}

async function pruneOther(
  target: SnapshotTarget,
  version: number,
  options: PruneCommandOptions,
  { progress, signal }: CommandContext,
): Promise<CommandResult> {
  const { env, dryRun = false } = options;
  const choice = { version, progress, signal };
  const plan = await (dryRun ? planVersionPrune(target, version) : pruneVersion(target, choice));
  const { releases, objects, keys } = plan;
  const what = `${plural(releases, 'release')} and ${plural(objects, 'object')}`;
  const deed = `${dryRun ? 'would delete' : 'deleted'} everything of version ${version}`;
  return {
    data: { environment: env, dryRun, version, releases, objects, keys: keys.length },
    text: () => `${placeName(options)}: ${deed}: ${what}, ${plural(keys.length, 'key')} in all`,
  };
}

function readVersion(text: string): number {
  const version = Number(text);
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new InvalidArgumentError('Expected a format version, an integer from 1.');
  }
  if (version === FORMAT_VERSION) {
    throw new InvalidArgumentError('That is the version of this tool: only others go as a whole.');
  }
  return version;
}
