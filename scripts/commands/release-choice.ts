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
import { faultData, formatLeftOut } from '../source/format-faults.ts';
import {
  expectStoresOption,
  openReport,
  readStoresToCompile,
  skipInvalidOption,
  sourceOption,
} from '../source/source-stores.ts';

export interface ReleaseChoice {
  readonly source?: string;
  readonly expectStores?: number;
  readonly snapshot?: string;
  readonly skipInvalid?: boolean;
}

export function declareReleaseChoice(command: Command): void {
  command
    .addOption(sourceOption().conflicts('snapshot'))
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
  { source, snapshot, skipInvalid = false, expectStores }: ReleaseChoice,
  context: CommandContext,
  work: (release: CompiledRelease) => Promise<T>,
) {
  if (snapshot !== undefined) {
    const release = await openSnapshotFolder(snapshot);
    expectStoreCount(release, expectStores);
    return { result: await work(release), validation: undefined, leftOut: [] };
  }
  if (source === undefined) throw new UsageError('name the stores: --source or --snapshot');
  const choice = { source, ...(expectStores === undefined ? {} : { expectStores }) };
  const report = openReport(context);
  const prefix = join(tmpdir(), 'store-snapshot-');
  return withWorkFolder(prefix, context.signal, async (folder) => {
    const stores = readStoresToCompile(choice, skipInvalid, report, context);
    const built = await compileToFolder(stores, folder, context);
    return {
      result: await work(await openSnapshotFolder(built.folder)),
      validation: faultData(source, built.manifest.storeCount, report),
      /** Lines that say which stores were left out. */
      leftOut: formatLeftOut(report),
    };
  });
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
