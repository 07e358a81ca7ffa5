/** Makes a site beside the one that a server may be reading, one build at a time, and puts it in its place. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FILE_PREFIX } from '../../src/http/paths.ts';
import { filesBelow } from './site-folder.ts';

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

/**
 * Moves every file of `fresh` to its place in `folder`, then removes what is there besides. The folder
 * itself stays, and so do files whose name holds their hash: `wrangler dev` watches it. What pages load
 * comes before the pages.
 */
export async function replaceFiles(folder: string, fresh: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const [before, files] = [await filesBelow(folder), await filesBelow(fresh)];
  const moved = files.filter((file) => !(isHashed(file) && before.includes(file)));
  moved.sort((one, other) => Number(isHashed(other)) - Number(isHashed(one)));
  for (const file of moved) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await rename(join(fresh, file), join(folder, file));
  }
  const left = before.filter((file) => !files.includes(file));
  await Promise.all(left.map((file) => rm(join(folder, file))));
}

/** Returns whether the name of a file holds its hash. */
const isHashed = (file: string): boolean => `/${file}`.includes(FILE_PREFIX);
