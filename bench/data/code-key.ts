/** Tells whether the code that made a cached file is the code of today. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';

const KEY_DIGITS = 16;

/** A text that changes with any file of `paths`, files or folders within the project. */
export async function codeKey(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of await filesOf(path)) {
      hash.update(`${file}\n`).update(await readFile(join(PROJECT_FOLDER, file)));
    }
  }
  return hash.digest('hex').slice(0, KEY_DIGITS);
}

async function filesOf(path: string): Promise<string[]> {
  const whole = join(PROJECT_FOLDER, path);
  if ((await stat(whole)).isFile()) return [path];
  const names = await readdir(whole, { recursive: true });
  return names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${path}/${name}`);
}
