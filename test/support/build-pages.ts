/** Before all tests: the pages that the Worker serves, and which files they are. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { filesBelow, PROJECT, SITE_FOLDER } from '../../web/build/site-folder.ts';

export async function setup(project: TestProject): Promise<void> {
  // In a process of its own: tests need not load what builds them. It fails with what the builder printed.
  await promisify(execFile)(process.execPath, [resolve(PROJECT, 'web/build.ts')]);
  project.provide('siteFiles', (await filesBelow(SITE_FOLDER)).sort());
}
