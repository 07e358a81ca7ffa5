/** Tells whether the code that made a cached file is the code of today. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';

const KEY_DIGITS = 16;

/** A text that changes with any file below `folders` (paths within the project). */
export async function codeKey(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const names = await readdir(join(PROJECT_FOLDER, folder), { recursive: true });
    for (const name of names.filter((file) => file.endsWith('.ts')).sort()) {
      hash.update(`${folder}/${name}\n`).update(await readFile(join(PROJECT_FOLDER, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, KEY_DIGITS);
}
