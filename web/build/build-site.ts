/** Builds all pages, with everything they load, into the folder that the Worker serves. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  GUIDES,
  type GuideName,
  guidePath,
  OPENAPI_PATH,
  problemPath,
} from '../../src/http/paths.ts';
import { PROBLEM_CODES } from '../../src/problem.ts';
import { guidePage } from '../docs/guide-page.ts';
import { problemPage } from '../docs/problem-page.ts';
import { openApiDocument } from '../openapi/document.ts';
import { PAGES } from '../pages.ts';
import type { Site } from '../site.ts';
import { bundleSources, writeHashed } from './bundle.ts';
import { replaceFiles } from './replace-files.ts';
import {
  CHANGELOG_FILE,
  DIST_FOLDER,
  GUIDE_FOLDER,
  PACKAGES_FILE,
  PROJECT,
  SITE_FOLDER,
  STAMP_FILE,
} from './site-folder.ts';

/** Replaces the site by one that is made of the sources of `stamp`. */
export async function buildSite(stamp: string): Promise<void> {
  const folder = join(DIST_FOLDER, `building-${process.pid}`);
  try {
    const packages = await writeSite(folder);
    await rm(STAMP_FILE, { force: true });
    await replaceFiles(SITE_FOLDER, folder);
    await writeFile(PACKAGES_FILE, JSON.stringify(packages));
    await writeFile(STAMP_FILE, stamp);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the packages that are in it */
async function writeSite(folder: string): Promise<readonly string[]> {
  const pages = Object.values(PAGES);
  const sources = pages.flatMap((page) => page.sources);
  const { urls: bundled, packages } = await bundleSources(sources, folder);
  const urls = new Map(bundled);
  const document = openApiDocument();
  for (const { generate } of pages) {
    for (const [name, content] of await generate({ document })) {
      urls.set(name, await writeHashed(name, content, folder));
    }
  }
  await writeFile(join(folder, OPENAPI_PATH), JSON.stringify(document));
  const site: Site = { document, url: (name) => urlOf(urls, name) };
  for (const [path, { make }] of Object.entries(PAGES)) {
    await writePage(folder, path, make(site).text);
  }
  for (const code of PROBLEM_CODES) {
    await writePage(folder, problemPath(code), problemPage(code, site).text);
  }
  for (const name of Object.keys(GUIDES) as GuideName[]) {
    const file = name === 'changelog' ? CHANGELOG_FILE : `${GUIDE_FOLDER}/${name}.md`;
    const text = await readFile(join(PROJECT, file), 'utf8');
    await writePage(folder, guidePath(name), guidePage(name, text, site).text);
  }
  return packages;
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
