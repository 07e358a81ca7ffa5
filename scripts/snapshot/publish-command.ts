/** `snapshot publish`: a source, or a folder built before, goes live. */
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../src/auth/environment.ts';
import { UsageError } from '../cli/command-error.ts';
import { environmentOption } from '../cli/environment-option.ts';
import { formatBytes } from '../cli/progress.ts';
import { type CommandContext, type CommandResult, defineCommand } from '../cli/run-command.ts';
import type { CompiledRelease } from '../publish/compiled-release.ts';
import { withLocalTarget } from '../publish/local-target.ts';
import { type ObjectTally, type Publication, publishRelease } from '../publish/publish-release.ts';
import { plural } from '../source/format-faults.ts';
import { compileToFolder } from './compile-to-folder.ts';
import { faultData, formatLeftOut } from './fault-data.ts';
import { openSnapshotFolder } from './snapshot-folder.ts';
import { skipInvalidOption, sourceOption } from './snapshot-options.ts';
import { openReport, readStoresToCompile } from './source-stores.ts';
import { withWorkFolder } from './work-folder.ts';

interface PublishCommandOptions {
  readonly source?: string;
  readonly snapshot?: string;
  readonly env: Environment;
  readonly skipInvalid?: boolean;
}

export const publishCommand = defineCommand<PublishCommandOptions>({
  name: 'publish',
  summary: 'Put a store export, or a folder made by build, live',
  declare: (command) => {
    command
      .addOption(sourceOption().conflicts('snapshot'))
      .option('--snapshot <folder>', 'folder made by build')
      .addOption(environmentOption('whose stores'))
      .addOption(skipInvalidOption().conflicts('snapshot'));
  },
  examples: [
    ['--source fixtures/stores.ndjson', 'compiles and publishes to local development'],
    ['--snapshot dist/snapshot --env staging', "publishes to staging's local storage"],
  ],
  run: async (options, context) => {
    const { source, snapshot, env } = options;
    if (source !== undefined) return publishSource(source, options, context);
    if (snapshot !== undefined) return publishSnapshot(snapshot, env, context);
    throw new UsageError('name what to publish: --source or --snapshot');
  },
});

async function publishSource(
  source: string,
  { env, skipInvalid = false }: PublishCommandOptions,
  context: CommandContext,
): Promise<CommandResult> {
  const report = openReport(context);
  const publication = await withWorkFolder(
    join(tmpdir(), 'store-snapshot-'),
    context.signal,
    async (folder) => {
      const stores = readStoresToCompile(source, skipInvalid, report, context);
      const built = await compileToFolder(stores, folder, context.progress);
      return publishLocally(await openSnapshotFolder(built.folder), env, context);
    },
  );
  const validation = faultData(source, publication.storeCount, report);
  return {
    data: { environment: env, ...publication, validation },
    text: () => [describePublication(publication, env), ...formatLeftOut(report)].join('\n'),
  };
}

async function publishSnapshot(
  folder: string,
  env: Environment,
  context: CommandContext,
): Promise<CommandResult> {
  const publication = await publishLocally(await openSnapshotFolder(folder), env, context);
  return {
    data: { environment: env, ...publication },
    text: () => describePublication(publication, env),
  };
}

async function publishLocally(
  release: CompiledRelease,
  env: Environment,
  { progress, signal }: CommandContext,
): Promise<Publication> {
  return withLocalTarget(env, (target) =>
    publishRelease(release, target, { author: authorName(), now: new Date(), progress, signal }),
  );
}

/** Who publishes: the actor of a CI job, else the user of this machine. */
function authorName(): string {
  if (process.env.GITHUB_ACTOR) return process.env.GITHUB_ACTOR;
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the password file.
    return 'unknown';
  }
}

function describePublication(publication: Publication, env: Environment): string {
  const { release, previous, alreadyLive, storeCount, uploaded, reused } = publication;
  const content = `release ${release} (${plural(storeCount, 'store')})`;
  if (alreadyLive) return `${env}: ${content} is live already, nothing was written`;
  return [
    `${env}: ${content} is live, ${previous === null ? 'the first one' : `after ${previous}`}`,
    `Uploaded ${describeTally(uploaded)}, reused ${describeTally(reused)}`,
  ].join('\n');
}

function describeTally({ objects, bytes }: ObjectTally): string {
  return `${plural(objects, 'object')} (${formatBytes(bytes)})`;
}
