/** `snapshot publish`: a source, or a folder built before, goes live. */
import {
  environmentOption,
  type PlaceOptions,
  placeName,
  remoteOption,
} from '../cli/environment-option.ts';
import { formatBytes } from '../cli/progress.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import { type DiffFigures, diffFigures } from '../diff/describe-diff.ts';
import { declareGuards, readLimits } from '../guards/guard-options.ts';
import type { GuardReport } from '../guards/guard-release.ts';
import { reviewChange } from '../guards/review-change.ts';
import { authorName } from '../publish/author-name.ts';
import type { CompiledRelease } from '../publish/compiled-release.ts';
import type { ObjectTally } from '../publish/each-object.ts';
import { withLease } from '../publish/lease.ts';
import { breakLeaseOption, type LeaseChoice } from '../publish/lease-option.ts';
import { withTarget } from '../publish/open-target.ts';
import {
  type Publication,
  publishRelease,
  rehearsePublication,
} from '../publish/publish-release.ts';
import type { SnapshotTarget } from '../publish/snapshot-target.ts';
import { unmarkWithdrawn } from '../publish/withdrawal.ts';
import { plural } from '../source/format-faults.ts';
import { isDemoLive } from '../start/demo-release.ts';
import { declareReleaseChoice, type ReleaseChoice, withChosenRelease } from './release-choice.ts';

/**
 * When more stores have changed than this, the summary goes by a sample of them: on Cloudflare's
 * platform each costs a request.
 */
const MOST_READ = { local: 2_000, remote: 20 } as const;

interface PublishCommandOptions extends ReleaseChoice, PlaceOptions, LeaseChoice {
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

interface Outcome extends Publication {
  /** Null when the live release could not be read. */
  readonly diff: DiffFigures | null;
  /** Null when there was nothing to guard. */
  readonly guards: GuardReport | null;
}

export const publishCommand = defineCommand<PublishCommandOptions>({
  name: 'publish',
  summary: 'Put a store export, or a folder made by build, live',
  declare: (command) => {
    declareReleaseChoice(command);
    command
      .addOption(environmentOption('whose stores'))
      .addOption(remoteOption())
      .option('--force', 'publish however suspicious the change, and what was withdrawn')
      .addOption(breakLeaseOption())
      .option('--dry-run', 'do everything except writing, and say what would be uploaded');
    declareGuards(command);
  },
  examples: [
    ['--source fixtures/stores.ndjson', 'compiles and publishes to local development'],
    ['--source export.ndjson --env staging --remote', "publishes to Cloudflare's platform"],
    ['--snapshot dist/snapshot --env production --remote --dry-run', 'shows what would happen'],
    ['--source export.ndjson --max-removed 35', 'for an export that drops a third of the stores'],
  ],
  run: async (options, context) => {
    const { result, validation, leftOut } = await withChosenRelease(options, context, (release) =>
      withTarget(options, context, (target) => publish(release, target, options, context)),
    );
    const { env, dryRun = false } = options;
    return {
      data: { environment: env, dryRun, ...result, validation },
      text: () => [describeOutcome(result, options), ...leftOut].join('\n'),
    };
  },
});

async function publish(
  release: CompiledRelease,
  target: SnapshotTarget,
  options: PublishCommandOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { force = false, dryRun = false, breakLease: breaking } = options;
  const { progress, signal } = context;
  const limits = readLimits({ ...options });
  // Whoever tries their own stores after npm start loses nothing.
  const replacesAll = await isDemoLive(target, options);
  const mostRead = options.remote ? MOST_READ.remote : MOST_READ.local;
  const review = { limits, replacesAll, now: new Date(), force, mostRead };
  const { pointer, diff, guards, accepted } = await reviewChange(target, release, review, context);
  const author = authorName();
  const carryOut = async () => {
    if (dryRun) return rehearsePublication(release, target, { progress, signal });
    const holding = { kind: 'publish', holder: author, breaking } as const;
    return withLease(target, holding, async (lease) => {
      const record = { author, now: new Date(), expected: pointer, accepted, lease };
      const publication = await publishRelease(release, target, { ...record, progress, signal });
      if (force) await unmarkWithdrawn(target, publication.release);
      return publication;
    });
  };
  return { ...(await carryOut()), diff: diff && diffFigures(diff), guards };
}

function describeOutcome(outcome: Outcome, options: PublishCommandOptions): string {
  const { release, previous, alreadyLive, storeCount, uploaded, reused } = outcome;
  const place = placeName(options);
  const content = `release ${release} (${plural(storeCount, 'store')})`;
  if (alreadyLive) return `${place}: ${content} is live already, nothing was written`;
  const after = previous === null ? 'the first one' : `after ${previous}`;
  const [state, put, kept] = options.dryRun
    ? ['would go live', 'Would upload', 'reuse']
    : ['is live', 'Uploaded', 'reused'];
  return [
    `${place}: ${content} ${state}, ${after}`,
    `${put} ${describeTally(uploaded)}, ${kept} ${describeTally(reused)}`,
  ].join('\n');
}

function describeTally({ objects, bytes }: ObjectTally): string {
  return `${plural(objects, 'object')} (${formatBytes(bytes)})`;
}
