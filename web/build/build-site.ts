/** Builds all pages, with everything they load, and the OpenAPI document. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { EXPLORE_PATH, FAVICON_PATH, OPENAPI_PATH } from '../../src/http/paths.ts';
import { explorePage } from '../explore/page.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { GeneratedFiles } from '../site.ts';
import { buildDocs } from './build-docs.ts';
import { withBuildFolder } from './build-folder.ts';
import { bundleSources, writeHashed } from './bundle.ts';
import { isFresh, SOURCES, stampOf } from './freshness.ts';
import { replaceFiles } from './replace-files.ts';
import {
  BUILD_FOLDER,
  MAP_FILE,
  PACKAGES_FILE,
  PROJECT,
  SITE_FOLDER,
  STAMP_FILE,
} from './site-folder.ts';

/** The picture that browsers show beside the title of every page. */
const FAVICON = 'web/favicon.svg';

/** Files that a page has generated, and what of. */
interface KeptFiles {
  readonly stamp: string;
  readonly files: GeneratedFiles;
}

/** @returns whether there was anything to build, or it was to be built anyway */
export function buildPages(force = false): Promise<boolean> {
  return withBuildFolder(BUILD_FOLDER, async (folder) => {
    if (!force && (await isFresh())) return false;
    await buildSite(folder);
    return true;
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
  const packages = [
    ...(await buildExplore(fresh)),
    ...(await buildDocs(fresh, join(folder, 'docs'))),
  ];
  await rm(STAMP_FILE, { force: true });
  await replaceFiles(SITE_FOLDER, fresh);
  await writeFile(PACKAGES_FILE, JSON.stringify([...new Set(packages)]));
  await writeFile(STAMP_FILE, stamp);
}

/** @returns the packages that are in the page */
async function buildExplore(site: string): Promise<readonly string[]> {
  const { urls: bundled, packages } = await bundleSources(explorePage.sources, site);
  const urls = new Map(bundled);
  for (const [name, content] of await mapFiles()) {
    urls.set(name, await writeHashed(name, content, site));
  }
  const page = explorePage.make({ url: (name) => urlOf(urls, name) });
  await writeFile(join(site, `${EXPLORE_PATH}.html`), page.text);
  return packages;
}

/** What the page generates, or what it has generated of the same sources before. */
async function mapFiles(): Promise<GeneratedFiles> {
  const stamp = await stampOf(explorePage.generatedFrom);
  const kept: KeptFiles | null = await readFile(MAP_FILE).then(deserialize, () => null);
  if (kept?.stamp === stamp) return kept.files;
  const files = await explorePage.generate();
  await writeFile(MAP_FILE, serialize({ stamp, files } satisfies KeptFiles));
  return files;
}

function urlOf(urls: ReadonlyMap<string, string>, name: string): string {
  const url = urls.get(name);
  if (url === undefined) throw new Error(`no page has a source or a generated file ${name}`);
  return url;
}
