/**
 * The release that a command takes: compiled from a source for the time of the command, or built before. It lies
 * in a folder:
 *
 *     manifest.json       the manifest, written last
 *     objects/<hash>      index parts and document chunks
 */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { manifestSchema } from '../../src/snapshot/manifest.ts';
import { cannotWrite, UsageError } from '../cli/command-error.ts';
import type { ReleaseChoice, SourceChoice } from '../cli/common-options.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import type { SourceStore } from '../compile/source-store.ts';
import { FaultReport, faultData, formatLeftOut, formatTaken } from '../source/fault-report.ts';
import { openSpool } from '../source/file-spool.ts';
import { readStoresToCompile } from '../source/source-stores.ts';
import type { CompiledRelease } from './release-reader.ts';

export const MANIFEST_FILE = 'manifest.json';
export const OBJECTS_FOLDER = 'objects';

/** After so many objects written, interrupts and timers have their turn. */
const TURN_EVERY = 50;

/**
 * Opens the release chosen, and says what its source was like: a folder has no faults to tell of.
 * @param workFolder what is compiled lies there
 * @throws UsageError when none is chosen, or it cannot be read; CommandError when the source is faulty
 */
export async function openChosenRelease(
  { source, snapshot, ...choice }: ReleaseChoice,
  workFolder: string,
  context: CommandContext,
) {
  if (snapshot !== undefined) {
    return { ...(await openSnapshotFolder(snapshot)), validation: undefined, leftOut: [] };
  }
  if (source === undefined) throw new UsageError('name the stores: --source or --snapshot');
  return compileSource({ ...choice, source }, workFolder, context);
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
    leftOut: [...formatTaken(report), ...formatLeftOut(report)],
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
  const objects = join(folder, OBJECTS_FOLDER);
  await mkdir(objects, { recursive: true });
  let written = 0;
  /** Synchronous beneath its promise: the thread pool would take twice the time for small files. */
  const put = async (name: string, bytes: Uint8Array) => {
    writeFileSync(join(objects, name), bytes);
    written++;
    if (written % TURN_EVERY === 0) await setImmediate();
  };
  using spool = openSpool(workFolder);
  const manifest = await compileRelease(stores, {
    spool,
    put,
    progress,
    signal,
    hash: (bytes) => hash('sha256', bytes, 'buffer'),
  });
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, folder, readObjects: objectsIn(folder) };
}

/** Opens the release in `path`. @throws UsageError when it cannot be read */
export async function openSnapshotFolder(path: string): Promise<CompiledRelease> {
  try {
    const text = await readFile(join(path, MANIFEST_FILE), 'utf8');
    return { manifest: manifestSchema.parse(JSON.parse(text)), readObjects: objectsIn(path) };
  } catch (cause) {
    const message = `"${path}" is no snapshot of this version: build it again`;
    throw new UsageError(message, 'snapshot_unreadable', { cause });
  }
}

/** Reads the objects of the release in `folder`. */
function objectsIn(folder: string): CompiledRelease['readObjects'] {
  return (refs) =>
    Promise.all(
      refs.map(({ hash: name }) =>
        readFile(join(folder, OBJECTS_FOLDER, name)).catch(nullWhenMissing),
      ),
    );
}

/** Handles an error of the file system: null when nothing is there. */
export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/**
 * Makes a folder whose name begins with `prefix` (a path). It goes, with everything in it, when who has it is done.
 * @param signal must be the one that interrupts the work: it is listened to before the folder is there
 */
export async function makeWorkFolder(
  signal: AbortSignal,
  prefix = join(tmpdir(), 'store-snapshot-'),
) {
  signal.throwIfAborted();
  const parent = dirname(prefix);
  await mkdir(parent, { recursive: true }).catch(cannotWrite(parent));
  return mkdtempDisposable(prefix).catch(cannotWrite(parent));
}
