/** Hands the pages to Starlight. */

import { defineCollection } from 'astro:content';
import { readFile } from 'node:fs/promises';
import { docsSchema } from '@astrojs/starlight/schema';
import { type DocsPage, markdownPath } from './markdown.ts';

const docs = defineCollection({
  schema: docsSchema(),
  loader: {
    name: 'pages',
    async load({ config, store, parseData, renderMarkdown }) {
      store.clear();
      // Astro loads this file by itself, so the build leaves them in its folder.
      const pages: DocsPage[] = JSON.parse(
        await readFile(new URL('pages.json', config.root), 'utf8'),
      );
      for (const { id, title, body } of pages) {
        const tableOfContents = !/^(404|index|fields|problems\/)/.test(id);
        // The first page has the name of all of them.
        const ownTitle = id === 'index' ? [{ tag: 'title', content: title }] : [];
        const attrs = { rel: 'alternate', type: 'text/markdown', href: markdownPath(id) };
        const head = id === '404' ? [] : [...ownTitle, { tag: 'link', attrs }];
        store.set({
          id,
          data: await parseData({ id, data: { title, tableOfContents, head } }),
          rendered: await renderMarkdown(body),
        });
      }
    },
  },
});

export const collections = { docs };
