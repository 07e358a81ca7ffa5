/** Pages that are up to date, for commands that serve or deploy them. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { isBuiltFrom, sourceStamp } from './freshness.ts';
import { PROJECT } from './site-folder.ts';

/**
 * Builds the pages unless they are up to date. In a process of its own: the program that wants them
 * need not load what builds them.
 * @throws with what the builder printed, when it fails
 */
export async function ensurePages(): Promise<void> {
  if (await isBuiltFrom(await sourceStamp())) return;
  await promisify(execFile)(process.execPath, [resolve(PROJECT, 'web/build.ts')]);
}
