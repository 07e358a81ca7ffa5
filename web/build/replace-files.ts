/** Puts what was built where a server may be looking on. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DOCS_FILE_PREFIX, FILE_PREFIX } from '../../src/http/paths.ts';
import { filesBelow } from './site-folder.ts';

/**
 * Moves every file of `fresh` to its place in `folder`, then removes what is there besides. The folder
 * itself stays, and so do files whose name holds their hash: `wrangler dev` watches it. What pages load
 * comes before the pages.
 */
export async function replaceFiles(folder: string, fresh: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const before = new Set(await filesBelow(folder));
  const files = await filesBelow(fresh);
  const [loaded, others] = [files.filter(isHashed), files.filter((file) => !isHashed(file))];
  for (const group of [loaded.filter((file) => !before.has(file)), others]) {
    await Promise.all(group.map((file) => move(file, fresh, folder)));
  }
  const wanted = new Set(files);
  const left = [...before].filter((file) => !wanted.has(file));
  await Promise.all(left.map((file) => rm(join(folder, file))));
}

const HASHED = [FILE_PREFIX, DOCS_FILE_PREFIX].map((prefix) => relative('/', prefix));

const isHashed = (file: string): boolean => HASHED.includes(dirname(file));

async function move(file: string, from: string, to: string): Promise<void> {
  await mkdir(dirname(join(to, file)), { recursive: true });
  await rename(join(from, file), join(to, file));
}
