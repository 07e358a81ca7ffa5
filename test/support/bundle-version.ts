/** Bundles of this tree in which a file is another one: of another version of the format, for one. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';

export type Tools = typeof import('./version-tools.ts');

/** What stands in a file of `src`, by its path there, and what is to stand in its place. */
export interface Edit {
  readonly file: string;
  readonly was: RegExp;
  readonly is: string;
}

/** Gives `FORMAT_VERSION` another value, on which everything else depends. */
const asVersion = (version: number): Edit => ({
  file: 'snapshot/keys.ts',
  was: /(?<=export const FORMAT_VERSION = )\d+(?=;)/g,
  is: String(version),
});

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

/** Writes the Worker of a version into `folder` and returns its path. */
export function bundleWorker(version: number, folder: string): Promise<string> {
  return bundle([asVersion(version)], join(folder, `worker-${version}.js`), {
    entryPoints: [resolve(PROJECT_FOLDER, 'src/worker.ts')],
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['cloudflare:*'],
  });
}

/** The tools of a version, bundled into `folder` and loaded. */
export async function loadTools(version: number, folder: string): Promise<Tools> {
  const outfile = join(folder, `tools-${version}.cjs`);
  return (await loadEdited(
    resolve(import.meta.dirname, 'version-tools.ts'),
    [asVersion(version)],
    outfile,
  )) as Tools;
}
