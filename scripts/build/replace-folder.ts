/** Puts a finished snapshot folder in the place of what was there. */
import { readdir, rename, rmdir, stat } from 'node:fs/promises';
import { UsageError } from '../cli/command-error.ts';
import { isSnapshotFolder } from './snapshot-folder.ts';

type Occupant = 'nothing' | 'empty folder' | 'snapshot';

/**
 * Says what `folder` is at present.
 * @throws UsageError when it holds anything that a build must not replace
 */
export async function inspectTarget(folder: string): Promise<Occupant> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!found) return 'nothing';
  if (found.isDirectory()) {
    if ((await readdir(folder)).length === 0) return 'empty folder';
    if (await isSnapshotFolder(folder)) return 'snapshot';
  }
  const message = `"${folder}" holds something else than a snapshot; name an empty or a new folder`;
  throw new UsageError(message, { code: 'target_occupied' });
}

/**
 * Moves the folder `finished` to `target`; a snapshot that was there is moved to `retired`, which
 * must not exist, and stays whole until its successor has taken its name.
 *
 * All three must lie on one file system.
 */
export async function replaceFolder(
  finished: string,
  target: string,
  retired: string,
): Promise<void> {
  // Looked at again: much can have happened during the build.
  const occupant = await inspectTarget(target);
  if (occupant === 'empty folder') await rmdir(target);
  if (occupant === 'snapshot') await rename(target, retired);
  try {
    await rename(finished, target);
  } catch (error) {
    if (occupant === 'snapshot') await rename(retired, target);
    throw error;
  }
}
