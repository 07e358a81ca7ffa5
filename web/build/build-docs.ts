/** Has Starlight make the documentation, as the Worker serves it. */
import { writeFileSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { close, createIndex } from 'pagefind';
import { DOCS_FILE_PREFIX, DOCS_PATH, FAVICON_PATH, SEARCH_PREFIX } from '../../src/http/paths.ts';
import { markdownFiles } from '../docs/markdown-pages.ts';
import { docsPages } from '../docs/pages.ts';
import { hashedPath } from '../hashed-path.ts';
import { PROJECT } from './site-folder.ts';

/** A script within a page: nothing that is in a file already. */
const INLINE_SCRIPT = /<script(?![^>]* src=)([^>]*)>([\s\S]*?)<\/script>/g;

/**
 * Builds the documentation.
 * @param site where the pages go
 * @param work a folder for what is made on the way
 */
export async function buildDocs(site: string, work: string): Promise<void> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1';
  // Otherwise Starlight leaves out the search where a test builds the pages.
  process.env.NODE_ENV = 'production';
  // Where the texts of pages are read, and Astro works.
  process.chdir(PROJECT);
  // Loaded after that.
  const { build } = await import('astro');
  const { astroConfig } = await import('../docs/astro-config.ts');
  await mkdir(work, { recursive: true });
  const out = join(site, DOCS_PATH);
  const pages = await docsPages();
  await writeFile(join(work, 'pages.json'), JSON.stringify(pages));
  await build(astroConfig(work, out, pages));
  await writeSearch(site, out);
  for await (const page of glob('**/*.html', { cwd: out })) await adapt(join(out, page), site);
  for (const [path, text] of markdownFiles(pages)) await writeFile(join(site, path), text);
}

/**
 * Writes the files of the search once more. Starlight ends the indexer as soon as that says that it has written
 * them: on a busy machine some are still empty then, and stay so.
 */
async function writeSearch(site: string, docs: string): Promise<void> {
  const { index } = await createIndex();
  if (!index) throw new Error('the search could not be made');
  await index.addDirectory({ path: docs });
  const { files } = await index.getFiles();
  for (const { path, content } of files) await writeFile(join(site, SEARCH_PREFIX, path), content);
  await close();
}

/** Changes a page as the policy of pages wants it: each script within it goes into a file of its own. */
async function adapt(file: string, site: string): Promise<void> {
  const page = await readFile(file, 'utf8');
  const adapted = page
    .replaceAll(INLINE_SCRIPT, (_, attributes: string, source: string) => {
      const path = hashedPath('inline.js', source, DOCS_FILE_PREFIX);
      writeFileSync(join(site, path), source);
      return `<script${attributes} src="${path}"></script>`;
    })
    // Day or night is the browser's choice until a script knows another.
    .replace(' data-theme="dark"', '')
    // One picture for all pages: Starlight looks for it below its own.
    .replace(`"${DOCS_PATH}${FAVICON_PATH}"`, `"${FAVICON_PATH}"`);
  await writeFile(file, adapted);
}
