/**
 * Where the pages lie once they are built. All of it is below `dist`, which git ignores: while wrangler
 * serves it builds again when a file below `watch_dir` changes, so no build may write there.
 */
import { glob } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

/** The folder of the project. */
export const PROJECT = resolve(import.meta.dirname, '../..');

/** What the Worker serves: `directory` of the assets in wrangler.toml. */
export const SITE_FOLDER = resolve(PROJECT, 'dist/site');

/** Where a site is made before it replaces the last one. */
export const BUILD_FOLDER = resolve(PROJECT, 'dist/site.building');

/** Says what the site was built from. */
export const STAMP_FILE = resolve(PROJECT, 'dist/site.stamp');

/** The files of the map, which take most of a build and hardly ever change. */
export const MAP_FILE = resolve(PROJECT, 'dist/site.map');

/** Returns the paths from there of files below a folder: of all, unless patterns choose some. */
export async function filesBelow(folder: string, patterns = ['**']): Promise<string[]> {
  const entries = await Array.fromAsync(glob(patterns, { cwd: folder, withFileTypes: true }));
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
