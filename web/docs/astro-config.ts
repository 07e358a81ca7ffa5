/** How Starlight makes the documentation: pages that can be read without scripts, from this origin alone. */
import starlight from '@astrojs/starlight';
import type { AstroInlineConfig } from 'astro';
import { DOCS_PATH, FAVICON_PATH, FILE_PREFIX } from '../../src/http/paths.ts';
import { BROWSERS } from '../browsers.ts';
import type { DocsPage } from './markdown.ts';
import { sectionOf } from './pages.ts';

/**
 * Makes the configuration of Astro.
 * @param work where Astro keeps what it makes for itself
 * @param out where the pages go
 */
export function astroConfig(
  work: string,
  out: string,
  pages: readonly DocsPage[],
): AstroInlineConfig {
  const source = import.meta.dirname;
  return {
    configFile: false,
    root: work,
    srcDir: source,
    outDir: out,
    base: DOCS_PATH,
    trailingSlash: 'never',
    build: { assets: FILE_PREFIX.slice(1, -1), inlineStylesheets: 'never' },
    prefetch: false,
    logLevel: 'error',
    vite: {
      logLevel: 'error',
      // Every script is a file, so that the policy of the pages allows no other.
      build: { assetsInlineLimit: 0, cssTarget: BROWSERS },
      // Node would find another version of it.
      environments: { prerender: { resolve: { noExternal: ['js-yaml'] } } },
    },
    integrations: [
      starlight({
        title: 'Rental Store Directory',
        favicon: FAVICON_PATH,
        components: {
          Header: `${source}/components/Header.astro`,
          MobileMenuFooter: `${source}/components/MobileMenuFooter.astro`,
          MobileMenuToggle: `${source}/components/MobileMenuToggle.astro`,
        },
        customCss: [`${source}/browser/docs.css`],
        // Long lines of a shell go on below: none has to be scrolled to be read.
        expressiveCode: {
          defaultProps: { frame: 'none', wrap: true },
          styleOverrides: { borderRadius: '0.4rem' },
        },
        sidebar: sidebar(pages),
        // As Pagefind had it: short pages that say a word often are about it.
        pagefind: { ranking: { pageLength: 0.75, termFrequency: 1 } },
      }),
    ],
  };
}

/** Makes the sidebar: pages by their ids, with their titles as labels. */
function sidebar(pages: readonly DocsPage[]) {
  const others = pages.filter(({ id }) => id !== 'index' && id !== '404');
  const sections = [...Map.groupBy(others, sectionOf)].map(([label, section]) => {
    return { label, items: section.map(({ id }) => id), collapsed: label === 'All problems' };
  });
  return [{ label: 'Start here', link: '/' }, ...sections];
}
