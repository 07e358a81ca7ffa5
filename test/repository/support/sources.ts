/** The TypeScript files of the project, as they are written. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../../scripts/cli/platform.ts';

/** Reads every file below `folder`; its path is relative to the repository, as the folder's is. */
export function sourcesBelow(folder: string): { path: string; text: string }[] {
  return (
    readdirSync(join(PROJECT_FOLDER, folder), { recursive: true, encoding: 'utf8' })
      // The benchmark keeps a checkout of another commit while it compares; a test installs packages.
      .filter((name) => /\.tsx?$/.test(name) && !/^\.cache|node_modules/.test(name))
      .map((name) => {
        const path = join(folder, name);
        return { path, text: readFileSync(join(PROJECT_FOLDER, path), 'utf8') };
      })
  );
}
