/** Scripts and styles of pages as files whose names hold the hash of their content. */
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { FILE_PREFIX } from '../../src/http/paths.ts';
import { BROWSERS } from '../browsers.ts';
import { PROJECT } from './site-folder.ts';

/**
 * Bundles scripts and styles into the folder of files below `site`.
 * @param sources paths in the project
 * @returns paths in the service, by the source that was bundled
 * @throws when a source has faults; esbuild has printed them then
 */
export async function bundleSources(
  sources: readonly string[],
  site: string,
): Promise<Map<string, string>> {
  const outdir = join(site, FILE_PREFIX);
  const { metafile } = await build({
    absWorkingDir: PROJECT,
    entryPoints: [...sources],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: BROWSERS,
    minify: true,
    charset: 'utf8',
    // Licences of what is bundled stay with it.
    legalComments: 'eof',
    metafile: true,
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    publicPath: FILE_PREFIX,
    logLevel: 'error',
  });
  const urls = new Map<string, string>();
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    const name = relative(outdir, resolve(PROJECT, output));
    if (entryPoint !== undefined) urls.set(entryPoint, FILE_PREFIX + name);
  }
  return urls;
}
