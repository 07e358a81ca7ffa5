/** Bundles the Worker and the tools of this tree as if they were of another format version. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';

export type Tools = typeof import('./version-tools.ts');

/** Gives `FORMAT_VERSION` another value, on which everything else depends. */
function asVersion(version: number): Plugin {
  return {
    name: 'format-version',
    setup: ({ onLoad }) => {
      onLoad({ filter: /src\/snapshot\/keys\.ts$/ }, async ({ path }) => {
        const [before, after, ...rest] = (await readFile(path, 'utf8')).split(
          /(?<=export const FORMAT_VERSION = )\d+(?=;)/,
        );
        if (after === undefined || rest.length > 0) throw new Error(`${path}: no one version`);
        return { contents: `${before}${version}${after}`, loader: 'ts' };
      });
    },
  };
}

async function bundle(version: number, outfile: string, options: BuildOptions): Promise<string> {
  const plugins = [asVersion(version)];
  await build({ bundle: true, outfile, plugins, logLevel: 'silent', ...options });
  return outfile;
}

/** Writes the Worker of a version into `folder` and returns its path. */
export function bundleWorker(version: number, folder: string): Promise<string> {
  return bundle(version, join(folder, `worker-${version}.js`), {
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
  const file = await bundle(version, join(folder, `tools-${version}.cjs`), {
    entryPoints: [resolve(import.meta.dirname, 'version-tools.ts')],
    format: 'cjs',
    platform: 'node',
  });
  return createRequire(import.meta.url)(file);
}
