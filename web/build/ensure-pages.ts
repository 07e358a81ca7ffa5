/** Pages that are up to date, for what serves them without wrangler. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from './site-folder.ts';

/**
 * Builds the pages unless they are up to date, in a process of its own: the program that wants them need
 * not load what builds them.
 * @throws with what the builder printed, when it fails
 */
export async function ensurePages(): Promise<void> {
  await promisify(execFile)(process.execPath, [resolve(PROJECT, 'web/build.ts')]);
}
