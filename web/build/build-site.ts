/** Builds all pages, with everything they load, and the OpenAPI document. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { GUIDE_NAMES, guidePath, OPENAPI_PATH, problemPath } from '../../src/http/paths.ts';
import { PROBLEM_CODES } from '../../src/problem.ts';
import { guidePage } from '../docs/guide-page.ts';
import { problemPage } from '../docs/problem-page.ts';
import { openApiDocument } from '../openapi/document.ts';
import { PAGES } from '../pages.ts';
import type { GeneratedFiles, PageSource, Site } from '../site.ts';
import { bundleSources, writeHashed } from './bundle.ts';
import { SOURCES, stampOf } from './freshness.ts';
import { replaceFiles } from './replace-files.ts';
import {
  CHANGELOG_FILE,
  GUIDE_FOLDER,
  MAP_FILE,
  PACKAGES_FILE,
  PROJECT,
  SITE_FOLDER,
  STAMP_FILE,
} from './site-folder.ts';

/** Files that a page has generated, and what of. */
interface KeptFiles {
  readonly stamp: string;
  readonly files: GeneratedFiles;
}

/**
 * Replaces the site by one that is made of the sources as they are now.
 * @param folder where it is made: on the same disk, and used by this build alone
 */
export async function buildSite(folder: string): Promise<void> {
  const fresh = join(folder, 'site');
  // Before anything is read: what changes meanwhile is built again.
  const stamp = await stampOf(SOURCES);
  const packages = await writeSite(fresh);
  await rm(STAMP_FILE, { force: true });
  await replaceFiles(SITE_FOLDER, fresh);
  await writeFile(PACKAGES_FILE, JSON.stringify(packages));
  await writeFile(STAMP_FILE, stamp);
}

/** @returns the packages that are in it */
async function writeSite(folder: string): Promise<readonly string[]> {
  const pages = Object.values(PAGES);
  const sources = pages.flatMap((page) => page.sources);
  const { urls: bundled, packages } = await bundleSources(sources, folder);
  const urls = new Map(bundled);
  const document = openApiDocument();
  for (const page of pages) {
    const files = [...(await generatedBy(page, document))];
    await Promise.all(
      files.map(async ([name, content]) => {
        urls.set(name, await writeHashed(name, content, folder));
      }),
    );
  }
  await writeFile(join(folder, OPENAPI_PATH), JSON.stringify(document));
  const site: Site = { document, url: (name) => urlOf(urls, name) };
  for (const [path, { make }] of Object.entries(PAGES)) {
    await writePage(folder, path, make(site).text);
  }
  for (const code of PROBLEM_CODES) {
    await writePage(folder, problemPath(code), problemPage(code, site).text);
  }
  for (const name of GUIDE_NAMES) {
    const file = name === 'changelog' ? CHANGELOG_FILE : `${GUIDE_FOLDER}/${name}.md`;
    const text = await readFile(join(PROJECT, file), 'utf8');
    await writePage(folder, guidePath(name), guidePage(name, text, site).text);
  }
  return packages;
}

/** What a page generates, or what it has generated of the same sources before. */
async function generatedBy(
  { generate, generatedFrom }: PageSource,
  document: Site['document'],
): Promise<GeneratedFiles> {
  if (generatedFrom === undefined) return generate({ document });
  const stamp = await stampOf(generatedFrom);
  const kept: KeptFiles | null = await readFile(MAP_FILE).then(deserialize, () => null);
  if (kept?.stamp === stamp) return kept.files;
  const files = await generate({ document });
  await writeFile(MAP_FILE, serialize({ stamp, files } satisfies KeptFiles));
  return files;
}

function urlOf(urls: ReadonlyMap<string, string>, name: string): string {
  const url = urls.get(name);
  if (url === undefined) throw new Error(`no page has a source or a generated file ${name}`);
  return url;
}

async function writePage(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, `${path}.html`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
