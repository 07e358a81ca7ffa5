/** Hands the pages to Starlight. */

import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import { markdownPath } from './markdown-pages.ts';
import { docsPages } from './pages.ts';

const docs = defineCollection({
  schema: docsSchema(),
  loader: {
    name: 'pages',
    async load({ store, parseData, renderMarkdown }) {
      store.clear();
      for (const { id, title, body } of await docsPages()) {
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
