/** `snapshot build`: a source compiled into a folder, which takes the place of an earlier snapshot there. */
import { readdir, realpath, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  compileSource,
  MANIFEST_FILE,
  makeWorkFolder,
  nullWhenMissing,
  OBJECTS_FOLDER,
} from '../build/release-choice.ts';
import { cannotWrite, UsageError } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { formatBytes, plural } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';

interface BuildOptions extends SourceChoice {
  readonly out: string;
}

export async function run(options: BuildOptions, context: CommandContext) {
  const { out } = options;
  // A link stays one: what it leads to is replaced.
  const target = await realpath(out).catch(() => out);
  await isReplaceable(target).catch(cannotWrite(out));
  const prefix = `${target}.building-`;
  await using workFolder = await makeWorkFolder(context.signal, prefix);
  const compiled = await compileSource(options, workFolder.path, context);
  const { folder, manifest, validation, leftOut } = compiled;
  const { release, storeCount, locationCount, chunkBytes } = manifest;
  const retired = join(workFolder.path, 'retired');
  await replaceFolder(folder, target, retired).catch(cannotWrite(out));
  const content = `${plural(storeCount, 'store')}, ${plural(locationCount, 'location')}`;
  const built = `Built release ${release}: ${content}, ${formatBytes(chunkBytes)} of documents`;
  return {
    data: { out, ...manifest, validation },
    text: [`${built}, in ${out}`, ...leftOut].join('\n'),
  };
}

const OBJECT_NAME = /^[0-9a-f]{32}$/;

/**
 * Returns whether there is something at `folder` that a build replaces: an empty folder or a snapshot.
 * @throws UsageError target_occupied when anything else is there
 */
async function isReplaceable(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(nullWhenMissing);
  if (!found) return false;
  if (found.isDirectory()) {
    const names = await readdir(folder);
    if (names.length === 0 || (await isSnapshotFolder(folder, names))) return true;
  }
  const message = `"${folder}" holds something else than a snapshot; name an empty or a new folder`;
  throw new UsageError(message, 'target_occupied');
}

/**
 * Moves the folder `finished` to `target`; what was there is moved to `retired`, which
 * must not exist, and stays whole until its successor has taken its name.
 *
 * All three must lie on one file system.
 */
async function replaceFolder(finished: string, target: string, retired: string): Promise<void> {
  // Looked at again: much can have happened during the build.
  const isThere = await isReplaceable(target);
  if (isThere) await rename(target, retired);
  try {
    await rename(finished, target);
  } catch (error) {
    if (isThere) await rename(retired, target);
    throw error;
  }
}

/** Returns whether a folder holds a snapshot and nothing else. @param names of what is in it */
async function isSnapshotFolder(path: string, names: readonly string[]): Promise<boolean> {
  if (!isDeepStrictEqual(names.toSorted(), [MANIFEST_FILE, OBJECTS_FOLDER])) return false;
  const objects = await readdir(join(path, OBJECTS_FOLDER));
  return objects.every((name) => OBJECT_NAME.test(name));
}
