/** The release that a command takes: compiled from a source for the time of the command, or built before. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { compileToFolder } from '../build/compile-to-folder.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { openSnapshotFolder } from '../build/snapshot-folder.ts';
import { withWorkFolder } from '../build/work-folder.ts';
import { CommandError, UsageError } from '../cli/command-error.ts';
import { userPath } from '../cli/option-values.ts';
import { plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { type FaultData, faultData, formatLeftOut } from '../source/fault-data.ts';
import type { FaultReport } from '../source/fault-report.ts';
import { expectStoresOption, skipInvalidOption, sourceOption } from '../source/source-options.ts';
import { openReport, readStoresToCompile, type SourceChoice } from '../source/source-stores.ts';

export interface ReleaseChoice {
  readonly source?: string;
  readonly expectStores?: number;
  readonly snapshot?: string;
  readonly skipInvalid?: boolean;
}

/** What came of the work on a release, and of the source that it was compiled from. */
export interface ReleaseWork<T> {
  readonly result: T;
  /** About the source, for `--json`; a folder has no faults to tell of. */
  readonly validation?: FaultData;
  /** Lines that say which stores were left out. */
  readonly leftOut: readonly string[];
}

export function declareReleaseChoice(command: Command): void {
  command
    .addOption(sourceOption().conflicts('snapshot'))
    .option('--snapshot <folder>', 'folder made by build', userPath)
    .addOption(skipInvalidOption().conflicts('snapshot'))
    .addOption(expectStoresOption());
}

/**
 * Gives `work` the release chosen.
 * @throws UsageError when none is, or it cannot be read; CommandError when the source is faulty
 */
export async function withChosenRelease<T>(
  { source, snapshot, skipInvalid = false, expectStores }: ReleaseChoice,
  context: CommandContext,
  work: (release: CompiledRelease) => Promise<T>,
): Promise<ReleaseWork<T>> {
  if (snapshot !== undefined) {
    const release = await openSnapshotFolder(snapshot);
    expectStoreCount(release, expectStores);
    return { result: await work(release), leftOut: [] };
  }
  if (source === undefined) throw new UsageError('name the stores: --source or --snapshot');
  const choice = { source, ...(expectStores === undefined ? {} : { expectStores }) };
  return withCompiledSource(choice, skipInvalid, context, work);
}

/** @throws CommandError other_store_count */
function expectStoreCount({ manifest }: CompiledRelease, expected: number | undefined): void {
  const { storeCount } = manifest;
  if (expected === undefined || expected === storeCount) return;
  throw new CommandError(`the snapshot has ${plural(storeCount, 'store')}, expected ${expected}`, {
    code: 'other_store_count',
    details: { storeCount, expected },
  });
}

async function withCompiledSource<T>(
  choice: SourceChoice,
  skipInvalid: boolean,
  context: CommandContext,
  work: (release: CompiledRelease) => Promise<T>,
): Promise<ReleaseWork<T>> {
  const report: FaultReport = openReport(context);
  const prefix = join(tmpdir(), 'store-snapshot-');
  return withWorkFolder(prefix, context.signal, async (folder) => {
    const stores = readStoresToCompile(choice, skipInvalid, report, context);
    const built = await compileToFolder(stores, folder, context);
    return {
      result: await work(await openSnapshotFolder(built.folder)),
      validation: faultData(choice.source, built.manifest.storeCount, report),
      leftOut: formatLeftOut(report),
    };
  });
}
