/**
 * One build at a time. The folder in which a site is made is the lock: it names the process that has it,
 * and others wait until it is gone, or until that process is.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGone, ownMark, type ProcessMark } from '../../scripts/cli/process-mark.ts';

const OWNER_FILE = 'owner.json';

/** Milliseconds between two attempts. */
const PAUSE = 100;

/** What a system says when a folder is there already. */
const TAKEN_CODES = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

/** Does `work` while no other process has `folder`. What is in the folder then is removed at the end. */
export async function withBuildFolder<Result>(
  folder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const own = `${folder}-${process.pid}`;
  await mkdir(own, { recursive: true });
  await writeFile(join(own, OWNER_FILE), JSON.stringify(ownMark()));
  while (!(await takeOver(own, folder))) {
    const owner = await readOwner(folder);
    // wrangler ends a build when a file changes once more.
    if (owner && isGone(owner)) await discard(folder);
    else await sleep(PAUSE);
  }
  try {
    return await work(folder);
  } finally {
    await discard(folder);
  }
}

/** Puts our folder in the place of the lock, in one step with its owner in it. */
async function takeOver(own: string, folder: string): Promise<boolean> {
  try {
    await rename(own, folder);
    return true;
  } catch (error) {
    if (TAKEN_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function readOwner(folder: string): Promise<ProcessMark | null> {
  const text = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as ProcessMark);
}

/** Away in one step: another process may take the place before all is removed. */
async function discard(folder: string): Promise<void> {
  const away = `${folder}-left-${process.pid}`;
  await rename(folder, away).catch(() => {});
  await rm(away, { recursive: true, force: true });
}
