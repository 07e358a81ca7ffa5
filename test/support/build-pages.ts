/** Before all tests: the pages that the Worker serves, and which files they are. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensurePages } from '../../web/build/ensure-pages.ts';
import { SITE_FOLDER } from '../../web/build/site-folder.ts';

export async function setup(project: TestProject): Promise<void> {
  await ensurePages();
  const entries = await readdir(SITE_FOLDER, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(SITE_FOLDER, join(parentPath, name)));
  project.provide('siteFiles', paths.sort());
}
