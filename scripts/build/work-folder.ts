/** Folders for the time of a command. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';

/**
 * Gives `work` a new folder whose name begins with `prefix` (a path), and removes the folder with
 * everything in it however `work` ends.
 * @param signal must be the one that interrupts `work`: it is listened to before the folder is there
 */
export async function withWorkFolder<T>(
  prefix: string,
  signal: AbortSignal,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const folder = await explainWriting(dirname(prefix), async () => {
    await mkdir(dirname(prefix), { recursive: true });
    return mkdtemp(prefix);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
