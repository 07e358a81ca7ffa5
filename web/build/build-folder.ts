/** One build at a time: a lock beside the folder in which a site is made names the process that has it. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGone, ownMark, type ProcessMark } from './process-mark.ts';

/** Milliseconds between two attempts. */
const PAUSE = 100;

/** Looks after which a lock without a name belongs to a process that was ended before it wrote its own. */
const LOOKS_AT_NAMELESS = 20;

/**
 * Does `work` in an empty folder while no other process has it. Waits for a process that has it, but not
 * for one that has ended: wrangler ends a build when a file changes once more.
 */
export async function withBuildFolder<Result>(
  folder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const lock = `${folder}.lock`;
  await mkdir(dirname(lock), { recursive: true });
  for (let nameless = 0; !(await takes(lock)); ) {
    const owner = await readOwner(lock);
    nameless = owner === null ? nameless + 1 : 0;
    const isLeft = owner === null ? nameless > LOOKS_AT_NAMELESS : isGone(owner);
    if (isLeft) await rm(lock, { force: true });
    else await sleep(PAUSE);
  }
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(lock, { force: true });
  }
}

/** Takes the lock, unless it is there already. */
async function takes(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, JSON.stringify(ownMark()), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readOwner(lock: string): Promise<ProcessMark | null> {
  try {
    return JSON.parse(await readFile(lock, 'utf8')) as ProcessMark;
  } catch {
    return null;
  }
}
