/** Bundles of this tree, as it is or with a file that is another one. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';

/** What stands in a file of `src`, by its path there, and what is to stand in its place. */
export interface Edit {
  readonly file: string;
  readonly was: RegExp;
  readonly is: string;
}

function editing({ file, was, is }: Edit): Plugin {
  return {
    name: `another ${file}`,
    setup: ({ onLoad }) => {
      const filter = new RegExp(`/src/${file.replaceAll('.', '\\.')}$`);
      onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (text.match(was)?.length !== 1) throw new Error(`${path}: not one ${was}`);
        return { contents: text.replace(was, is), loader: 'ts' };
      });
    },
  };
}

async function bundle(
  edits: readonly Edit[],
  outfile: string,
  options: BuildOptions,
): Promise<string> {
  await build({
    bundle: true,
    outfile,
    plugins: edits.map(editing),
    logLevel: 'silent',
    ...options,
  });
  return outfile;
}

/** Bundles the module at a path into `outfile` and loads it. */
export async function loadEdited(
  module: string,
  edits: readonly Edit[],
  outfile: string,
): Promise<unknown> {
  const entryPoints = [module];
  await bundle(edits, outfile, { entryPoints, format: 'cjs', platform: 'node' });
  return createRequire(import.meta.url)(outfile);
}

/** Writes the Worker into `folder` and returns its path. */
export function bundleWorker(folder: string): Promise<string> {
  return bundle([], join(folder, `worker.js`), {
    entryPoints: [resolve(PROJECT_FOLDER, 'src/worker.ts')],
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['cloudflare:*'],
  });
}
