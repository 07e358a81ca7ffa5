/** Builds all pages, with everything they load, and the OpenAPI document. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { build } from 'esbuild';
import { EXPLORE_PATH, FAVICON_PATH, FILE_PREFIX, OPENAPI_PATH } from '../../src/http/paths.ts';
import { BROWSERS } from '../browsers.ts';
import { type Basemap, buildBasemap } from '../explore/basemap/build-basemap.ts';
import { EXPLORE_SOURCES, explorePage } from '../explore/page.ts';
import { openApiDocument } from '../openapi/document.ts';
import { buildDocs } from './build-docs.ts';
import { replaceFiles, withBuildFolder } from './exchange.ts';
import { isFresh, SOURCES, stampOf } from './freshness.ts';
import { BUILD_FOLDER, MAP_FILE, PROJECT, SITE_FOLDER, STAMP_FILE } from './site-folder.ts';

/** The picture that browsers show beside the title of every page. */
const FAVICON = 'web/favicon.svg';

/** The sources of the map, which is kept until one of them changes. */
const MAP_SOURCES = [
  ...['web/explore/basemap', 'web/explore/browser/map/zooms.ts', 'src/model/fold-text.ts'],
  // They name the files; the map itself comes in packages.
  ...['web/hashed-path.ts', 'src/http/paths.ts', 'package-lock.json'],
];

/** The map, and the stamp of its sources. */
interface KeptMap extends Basemap {
  readonly stamp: string;
}

export function buildPages(): Promise<void> {
  return withBuildFolder(BUILD_FOLDER, async (folder) => {
    // Another build may have done it meanwhile.
    if (!(await isFresh())) await buildSite(folder);
  });
}

/**
 * Replaces the site by one that is made of the sources as they are now.
 * @param folder where it is made: on the same disk, and used by this build alone
 */
async function buildSite(folder: string): Promise<void> {
  const fresh = join(folder, 'site');
  // Before anything is read: what changes meanwhile is built again.
  const stamp = await stampOf(SOURCES);
  await mkdir(fresh);
  await writeFile(join(fresh, OPENAPI_PATH), JSON.stringify(openApiDocument()));
  await copyFile(join(PROJECT, FAVICON), join(fresh, FAVICON_PATH));
  await buildExplore(fresh);
  await buildDocs(fresh, join(folder, 'docs'));
  await rm(STAMP_FILE, { force: true });
  await replaceFiles(SITE_FOLDER, fresh);
  await writeFile(STAMP_FILE, stamp);
}

async function buildExplore(site: string): Promise<void> {
  const { urls, shared } = await bundleSources(site);
  const { files, lists } = await readBasemap();
  for (const [path, content] of files) await writeFile(join(site, path), content);
  for (const [name, path] of lists) urls.set(name, path);
  const page = explorePage((name) => {
    const url = urls.get(name);
    if (url === undefined) throw new Error(`the page has no source or file of the map ${name}`);
    return url;
  }, shared);
  await mkdir(join(site, EXPLORE_PATH));
  await writeFile(join(site, EXPLORE_PATH, 'index.html'), page);
}

/**
 * Bundles scripts and styles into the folder of files below `site`; their names hold the hash of their content.
 * @returns `urls`: paths in the service, by the source that was bundled; `shared`: paths of modules that several import
 * @throws when a source has faults; esbuild has printed them then
 */
async function bundleSources(site: string) {
  const { metafile } = await build({
    absWorkingDir: PROJECT,
    entryPoints: EXPLORE_SOURCES,
    outdir: join(site, FILE_PREFIX),
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
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
  const shared = new Set<string>();
  const urlOf = (output: string) => FILE_PREFIX + basename(output);
  for (const [output, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== undefined) urls.set(entryPoint, urlOf(output));
    for (const { kind, path } of imports) if (kind === 'import-statement') shared.add(urlOf(path));
  }
  return { urls, shared };
}

/** Cuts the map, which takes seconds, or reads what was cut of the same sources before. */
async function readBasemap(): Promise<Basemap> {
  const stamp = await stampOf(MAP_SOURCES);
  const kept: KeptMap | null = await readFile(MAP_FILE).then(deserialize, () => null);
  if (kept?.stamp === stamp) return kept;
  const basemap = buildBasemap();
  await writeFile(MAP_FILE, serialize({ stamp, ...basemap } satisfies KeptMap));
  return basemap;
}
