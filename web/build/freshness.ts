/** Checks whether the pages were built from what is in the repository now. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow, PROJECT, SITE_FOLDER, STAMP_FILE } from './site-folder.ts';

/**
 * What pages are made of: their own code, the client's, what the service says of itself, the guides, and
 * the versions of packages. `watch_dir` of wrangler.toml lists the same.
 */
export const SOURCES = [
  ...['web', 'src', 'client/src'],
  // The changelog is a guide too: partners do not have the project.
  ...['docs/guides', 'CHANGELOG.md', 'package-lock.json'],
];

/** Returns whether the site was built from the sources as they are now. */
export async function isFresh(): Promise<boolean> {
  const [stamp, built] = await Promise.all([
    stampOf(SOURCES),
    readFile(STAMP_FILE, 'utf8').catch(() => null),
  ]);
  return built === stamp && existsSync(SITE_FOLDER);
}

/** Returns a text that is equal for equal contents of these files and folders of the project. */
export async function stampOf(sources: readonly string[]): Promise<string> {
  const patterns = sources.flatMap((source) => [source, `${source}/**`]);
  const paths = await filesBelow(PROJECT, patterns);
  const hash = createHash('sha256');
  for (const path of paths.sort()) {
    const content = await readFile(join(PROJECT, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
