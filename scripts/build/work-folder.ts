/** Folders for the time of a command. */
import { mkdir, mkdtempDisposable, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';

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
  return explainWriting(dirname(prefix), async () => {
    await mkdir(dirname(prefix), { recursive: true });
    await removeAbandoned(prefix);
    return mkdtempDisposable(prefix);
  });
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
