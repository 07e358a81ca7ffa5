/** Folders for the time of a command. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';

/** What follows the prefix in the name of a folder. */
const MARK = /^\d+-\w{6}$/;

/** Milliseconds after which no command is at work in a folder any more: its process was killed. */
const ABANDONED = 24 * 3_600_000;

/**
 * Gives `work` a new folder whose name begins with `prefix` (a path), and removes the folder with
 * everything in it however `work` ends. Folders that processes left behind a day ago go too.
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
    await removeAbandoned(prefix);
    return mkdtemp(`${prefix}${process.pid}-`);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeAbandoned(prefix: string): Promise<void> {
  const start = basename(prefix);
  for (const name of await readdir(dirname(prefix))) {
    if (!name.startsWith(start) || !MARK.test(name.slice(start.length))) continue;
    const folder = join(dirname(prefix), name);
    const found = await stat(folder).catch(() => null);
    if (!found || Date.now() - found.mtimeMs < ABANDONED) continue;
    // Another user's folder may not be ours to remove; the command does not need it gone.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
