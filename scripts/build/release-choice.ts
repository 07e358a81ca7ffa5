/** The release that a command takes: compiled from a source for the time of the command, or built before. */

import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CommandError, UsageError } from '../cli/command-error.ts';
import { explainWriting } from '../cli/file-error.ts';
import { userPath } from '../cli/option-values.ts';
import { plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import type { SourceStore } from '../compile/source-store.ts';
import { defaultsOption, formatTaken } from '../source/defaults.ts';
import { FaultReport, faultData, formatLeftOut } from '../source/fault-report.ts';
import { openSpool } from '../source/file-spool.ts';
import {
  expectStoresOption,
  readStoresToCompile,
  type SourceChoice,
  skipInvalidOption,
  sourceOption,
} from '../source/source-stores.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { createSnapshotFolder, openSnapshotFolder } from './snapshot-folder.ts';
import { makeWorkFolder } from './work-folder.ts';

export interface ReleaseChoice extends Partial<SourceChoice> {
  readonly snapshot?: string;
}

export function declareReleaseChoice(command: Command): void {
  command
    .addOption(sourceOption().conflicts('snapshot'))
    .addOption(defaultsOption().conflicts('snapshot'))
    .option('--snapshot <folder>', 'folder made by build', userPath)
    .addOption(skipInvalidOption().conflicts('snapshot'))
    .addOption(expectStoresOption());
}

/**
 * Gives `work` the release chosen, and returns what came of it, with what is to be said of the source
 * that it was compiled from: a folder has no faults to tell of.
 * @throws UsageError when none is, or it cannot be read; CommandError when the source is faulty
 */
export async function withChosenRelease<T>(
  { source, snapshot, ...choice }: ReleaseChoice,
  context: CommandContext,
  work: (release: CompiledRelease) => Promise<T>,
) {
  if (snapshot !== undefined) {
    const release = await openSnapshotFolder(snapshot);
    expectStoreCount(release, choice.expectStores);
    return { result: await work(release), validation: undefined, leftOut: [] };
  }
  if (source === undefined) throw new UsageError('name the stores: --source or --snapshot');
  const prefix = join(tmpdir(), 'store-snapshot-');
  await using workFolder = await makeWorkFolder(prefix, context.signal);
  const compiled = await compileSource({ ...choice, source }, workFolder.path, context);
  return { ...compiled, result: await work(await openSnapshotFolder(compiled.folder)) };
}

/**
 * Compiles a source into a folder within `workFolder`, and says what its faults were.
 * @throws UsageError, CommandError when the source cannot be read, or is faulty
 */
export async function compileSource(
  choice: SourceChoice,
  workFolder: string,
  context: CommandContext,
) {
  const report = new FaultReport(context.json);
  const stores = readStoresToCompile(choice, context, report);
  return {
    ...(await compileToFolder(stores, workFolder, context)),
    validation: faultData(choice.source, report),
    /** Lines that say what stores took from the defaults, and which were left out. */
    leftOut: [...formatTaken(report.taken), ...formatLeftOut(report)],
  };
}

/**
 * Compiles `stores` into a folder within `workFolder`, which the caller owns and removes; returns the
 * manifest and that folder. Errors of `stores` pass through, and the reason of `signal`.
 * @throws CommandError cannot_write
 */
export async function compileToFolder(
  stores: AsyncIterable<SourceStore>,
  workFolder: string,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
) {
  return explainWriting(workFolder, async () => {
    const folder = join(workFolder, 'snapshot');
    const sink = await createSnapshotFolder(folder);
    using spool = openSpool(workFolder);
    const manifest = await compileRelease(stores, {
      spool,
      sink,
      progress,
      signal,
      hash: (bytes) => hash('sha256', bytes, 'buffer'),
    });
    await sink.finish(manifest);
    return { manifest, folder };
  });
}

/** @throws CommandError other_store_count */
function expectStoreCount({ manifest }: CompiledRelease, expected: number | undefined): void {
  const { storeCount } = manifest;
  if (expected === undefined || expected === storeCount) return;
  const message = `the snapshot has ${plural(storeCount, 'store')}, expected ${expected}`;
  throw new CommandError(message, 'other_store_count', { details: { storeCount, expected } });
}
