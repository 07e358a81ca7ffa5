/** Has Starlight make the documentation, and lays it out as the Worker serves it. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DOCS_FILE_PREFIX, DOCS_PATH, FAVICON_PATH } from '../../src/http/paths.ts';
import { hashedName } from '../hashed-path.ts';
import { filesBelow, PROJECT } from './site-folder.ts';

/** A program within a page: not data, and nothing that is in a file already. */
const INLINE_SCRIPT =
  /<script(?! type="application\/)((?: (?!src=)[\w-]+(?:="[^"]*")?)*)>([\s\S]*?)<\/script>/g;

/**
 * @param site where the pages go
 * @param work a folder for what is made on the way
 */
export async function buildDocs(site: string, work: string): Promise<void> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1';
  // Else Starlight leaves out the search where a test builds the pages.
  process.env.NODE_ENV = 'production';
  // Else Astro works below the folder in which the build was started.
  process.chdir(PROJECT);
  // Loaded after that.
  const { build } = await import('astro');
  const { astroConfig } = await import('../docs/astro-config.ts');
  await mkdir(work, { recursive: true });
  await build(astroConfig(PROJECT, work));
  await layOut(join(work, 'out'), site);
}

/** Moves what was made to where the Worker looks for it, with every script in a file of its own. */
async function layOut(out: string, site: string): Promise<void> {
  const scripts = new Map<string, string>();
  for (const file of await filesBelow(out)) {
    const [from, to] = [join(out, file), join(site, placeOf(file))];
    await mkdir(dirname(to), { recursive: true });
    if (file.endsWith('.html')) await writeFile(to, served(await readFile(from, 'utf8'), scripts));
    else await rename(from, to);
  }
  for (const [path, source] of scripts) await writeFile(join(site, path), source);
}

/** `guides/versions/index.html` is the page `/docs/guides/versions`. */
function placeOf(file: string): string {
  // Served where there is no page, and at no path of its own.
  if (file === '404.html') return file;
  return join(DOCS_PATH, file).replace(/\/index\.html$/, '.html');
}

/**
 * The page as the policy of pages wants it, which allows no script within a page.
 * @param scripts takes up what was within it, by paths in the service
 */
function served(page: string, scripts: Map<string, string>): string {
  return (
    page
      .replaceAll(INLINE_SCRIPT, (_, attributes: string, source: string) => {
        const path = DOCS_FILE_PREFIX + hashedName('inline.js', source);
        scripts.set(path, source);
        return `<script${attributes} src="${path}"></script>`;
      })
      // Day or night is the browser's choice until a script knows another.
      .replace(' data-theme="dark"', '')
      // One picture for all pages: Starlight looks for it below its own.
      .replace(`"${DOCS_PATH}${FAVICON_PATH}"`, `"${FAVICON_PATH}"`)
  );
}
