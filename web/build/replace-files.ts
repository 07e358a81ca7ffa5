/** Replaces the built files while a server may be reading them. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FILE_PREFIX } from '../../src/http/paths.ts';
import { filesBelow } from './site-folder.ts';

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
