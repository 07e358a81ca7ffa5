/** Whether the pages that lie there were built from what is in the repository now. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHANGELOG_FILE, GUIDE_FOLDER, PROJECT, SITE_FOLDER, STAMP_FILE } from './site-folder.ts';

/** Pages are made of their own code, of the client's, of what the service says of itself, and of the guides. */
export const SOURCE_FOLDERS = ['web', 'src', 'client/src', GUIDE_FOLDER];

/** The versions of the packages that go into pages, and the one guide that lies elsewhere. */
const SOURCE_FILES = ['package-lock.json', CHANGELOG_FILE];

/** One text for one state of all sources. */
export async function sourceStamp(): Promise<string> {
  const below = await Promise.all(SOURCE_FOLDERS.map(filesBelow));
  const paths = [...below.flat(), ...SOURCE_FILES].sort();
  const contents = await Promise.all(paths.map((path) => readFile(join(PROJECT, path))));
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries()) {
    hash.update(`${paths[index]}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Whether the site was built from the sources of `stamp`. */
export async function isBuiltFrom(stamp: string): Promise<boolean> {
  const built = await readFile(STAMP_FILE, 'utf8').catch(() => null);
  return built === stamp && existsSync(SITE_FOLDER);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(PROJECT, folder), { recursive: true, withFileTypes: true });
  const dist = join(PROJECT, 'web/dist');
  return entries
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).startsWith(dist))
    .map((entry) => join(entry.parentPath, entry.name).slice(PROJECT.length + 1));
}
