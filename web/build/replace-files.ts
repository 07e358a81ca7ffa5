/** Puts what was built where a server may be looking on. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/**
 * Moves every file of `fresh` to its place in `folder`, then removes what is there besides. The folder
 * itself stays: `wrangler dev` watches it. What pages load comes before the pages.
 */
export async function replaceFiles(folder: string, fresh: string): Promise<void> {
  const files = (await filesOf(fresh)).sort((a, b) => rank(a) - rank(b));
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await rename(join(fresh, file), join(folder, file));
  }
  const wanted = new Set(files);
  for (const file of await filesOf(folder)) {
    if (!wanted.has(file)) await rm(join(folder, file));
  }
}

const rank = (file: string): number => (file.endsWith('.html') ? 1 : 0);

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
