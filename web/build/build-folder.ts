/** One build at a time: a lock of SQLite beside the folder in which a site is made. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two attempts. */
const PAUSE = 100;

/** What SQLite says of a lock that another connection has. */
const BUSY = 5;

/**
 * Does `work` in an empty folder while no other process has it. The system frees the lock of a process that
 * ends: wrangler ends a build when a file changes once more.
 */
export async function withBuildFolder<Result>(
  folder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(dirname(folder), { recursive: true });
  const lock = new DatabaseSync(`${folder}.sqlite`);
  try {
    while (!takes(lock)) await sleep(PAUSE);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    lock.close();
  }
}

function takes(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}
