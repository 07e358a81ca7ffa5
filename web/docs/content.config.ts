/** Hands the pages to Starlight. */

import { defineCollection } from 'astro:content';
import { fileURLToPath } from 'node:url';
import { docsSchema } from '@astrojs/starlight/schema';
import { docsPages } from './pages.ts';

const docs = defineCollection({
  schema: docsSchema(),
  loader: {
    name: 'pages',
    async load({ config, store, parseData, renderMarkdown }) {
      store.clear();
      const project = fileURLToPath(new URL('../..', config.srcDir));
      for (const { id, title, body } of await docsPages(project)) {
        // The column at the right has the headings of a page, but of an operation its code.
        const tableOfContents = !/^(404|index|operations|problems\/)/.test(id);
        // The first page has the name of all of them.
        const head = id === 'index' ? [{ tag: 'title', content: title }] : [];
        store.set({
          id,
          data: await parseData({ id, data: { title, tableOfContents, head } }),
          body,
          filePath: `${id}.md`,
          rendered: await renderMarkdown(body),
        });
      }
    },
  },
});

export const collections = { docs };
