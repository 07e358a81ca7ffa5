/** Folders for the time of a command. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';

/** Milliseconds after which no command works any more in a folder that it has made. */
const DAY = 24 * 3600_000;

/** What `mkdtemp` adds to a prefix. */
const RANDOM = /^\w{6}$/;

/**
 * Gives `work` a new folder whose name begins with `prefix` (a path), and removes the folder with
 * everything in it however `work` ends. What killed commands left goes after a day.
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
    return mkdtemp(prefix);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
