/** The release that a command takes: compiled from a source for the time of the command, or built before. */

import { hash } from 'node:crypto';
import { mkdir, mkdtempDisposable, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CommandError, cannotWrite, UsageError } from '../cli/command-error.ts';
import type { ReleaseChoice, SourceChoice } from '../cli/common-options.ts';
import { plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import type { SourceStore } from '../compile/source-store.ts';
import { formatTaken } from '../source/defaults.ts';
import { FaultReport, faultData, formatLeftOut } from '../source/fault-report.ts';
import { openSpool } from '../source/file-spool.ts';
import { readStoresToCompile } from '../source/source-stores.ts';
import type { CompiledRelease } from './release-reader.ts';
import { createSnapshotFolder, openSnapshotFolder } from './snapshot-folder.ts';

/** A release, and what is to be said of the source that it was compiled from: a folder has no faults to tell of. */
type ChosenRelease = CompiledRelease & Partial<Awaited<ReturnType<typeof compileSource>>>;

/**
 * Opens the release chosen. `await using` removes what was compiled for it.
 * @throws UsageError when none is chosen, or it cannot be read; CommandError when the source is faulty
 */
export async function openChosenRelease(
  { source, snapshot, ...choice }: ReleaseChoice,
  context: CommandContext,
): Promise<ChosenRelease & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  let compiled: ChosenRelease;
  if (snapshot !== undefined) {
    compiled = await openSnapshotFolder(snapshot);
    expectStoreCount(compiled, choice.expectStores);
  } else {
    if (source === undefined) throw new UsageError('name the stores: --source or --snapshot');
    const prefix = join(tmpdir(), 'store-snapshot-');
    const { path } = opened.use(await makeWorkFolder(prefix, context.signal));
    const told = await compileSource({ ...choice, source }, path, context);
    compiled = { ...told, ...(await openSnapshotFolder(told.folder)) };
  }
  // From here on the caller removes it.
  const held = opened.move();
  return { ...compiled, [Symbol.asyncDispose]: () => held.disposeAsync() };
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
    ...(await compileToFolder(stores, workFolder, context).catch(cannotWrite(workFolder))),
    validation: faultData(choice.source, report),
    /** Lines that say what stores took from the defaults, and which were left out. */
    leftOut: [...formatTaken(report.taken), ...formatLeftOut(report)],
  };
}

/**
 * Compiles `stores` into a folder within `workFolder`, which the caller owns and removes; returns the
 * manifest and that folder. Errors of `stores` pass through, and the reason of `signal`.
 */
export async function compileToFolder(
  stores: AsyncIterable<SourceStore>,
  workFolder: string,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
) {
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
}

/** @throws CommandError other_store_count */
function expectStoreCount({ manifest }: CompiledRelease, expected: number | undefined): void {
  const { storeCount } = manifest;
  if (expected === undefined || expected === storeCount) return;
  const message = `the snapshot has ${plural(storeCount, 'store')}, expected ${expected}`;
  throw new CommandError(message, 'other_store_count', { details: { storeCount, expected } });
}

/** Milliseconds after which no command works any more in a folder that it has made. */
const DAY = 24 * 3600_000;

/** What `mkdtemp` adds to a prefix. */
const RANDOM = /^\w{6}$/;

/**
 * Makes a folder whose name begins with `prefix` (a path). It goes, with everything in it, when who has it
 * is done; what killed commands left goes after a day.
 * @param signal must be the one that interrupts the work: it is listened to before the folder is there
 */
export async function makeWorkFolder(prefix: string, signal: AbortSignal) {
  signal.throwIfAborted();
  const parent = dirname(prefix);
  await mkdir(parent, { recursive: true }).catch(cannotWrite(parent));
  await removeAbandoned(prefix).catch(cannotWrite(parent));
  return mkdtempDisposable(prefix).catch(cannotWrite(parent));
}

async function removeAbandoned(prefix: string): Promise<void> {
  const [parent, start] = [dirname(prefix), basename(prefix)];
  for (const name of await readdir(parent)) {
    if (!name.startsWith(start) || !RANDOM.test(name.slice(start.length))) continue;
    const folder = join(parent, name);
    // Its owner may remove it meanwhile.
    const found = await stat(folder).catch(() => null);
    if (!found || Date.now() - found.mtimeMs < DAY) continue;
    // Another user's folder may not be ours to remove; the command does not need it gone.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
