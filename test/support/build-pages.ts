/** Before all tests: the pages that the Worker serves, and which files they are. */
import type { TestProject } from 'vitest/node';
import { ensurePages } from '../../web/build/ensure-pages.ts';
import { filesBelow, SITE_FOLDER } from '../../web/build/site-folder.ts';

export async function setup(project: TestProject): Promise<void> {
  await ensurePages();
  project.provide('siteFiles', (await filesBelow(SITE_FOLDER)).sort());
}
