/** Folders for the time of a command. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';
import { isGone, ownMark } from './process-mark.ts';

/** What follows the prefix in the name of a folder. */
const MARK = /^([0-9a-f]{12})-(\d+)-\w{6}$/;

/**
 * Gives `work` a new folder whose name begins with `prefix` (a path), and removes the folder with
 * everything in it however `work` ends. Folders of processes that were killed go too.
 * @param signal must be the one that interrupts `work`: it is listened to before the folder is there
 */
export async function withWorkFolder<T>(
  prefix: string,
  signal: AbortSignal,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { machine, pid } = ownMark();
  const folder = await explainWriting(dirname(prefix), async () => {
    await mkdir(dirname(prefix), { recursive: true });
    await removeAbandoned(prefix);
    return mkdtemp(`${prefix}${machine}-${pid}-`);
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
    if (!name.startsWith(start)) continue;
    const [, machine, pid] = MARK.exec(name.slice(start.length)) ?? [];
    if (machine === undefined || !isGone({ machine, pid: Number(pid) })) continue;
    // Another user's folder may not be ours to remove; the command does not need it gone.
    await rm(join(dirname(prefix), name), { recursive: true, force: true }).catch(() => {});
  }
}
