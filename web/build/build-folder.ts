/** One build at a time: a lock of SQLite beside the folder in which a site is made. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Milliseconds for which a build waits for others. */
const MAX_WAIT = 10 * 60_000;

/**
 * Does `work` in an empty folder while no other process has it. The system frees the lock of a process that
 * ends: wrangler ends a build when a file changes once more.
 * @throws when another process has it for ten minutes
 */
export async function withBuildFolder<Result>(
  folder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(dirname(folder), { recursive: true });
  using lock = new DatabaseSync(`${folder}.sqlite`, { timeout: MAX_WAIT });
  lock.exec('BEGIN EXCLUSIVE');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const result = await work(folder);
  await rm(folder, { recursive: true, force: true });
  return result;
}
