/** `GET /docs/console`: requests with one's own token. */
import { html } from '../html.ts';
import { framePage } from '../page.ts';
import { nothingGenerated, type PageSource } from '../site.ts';

export const consolePage: PageSource = {
  sources: [],
  generate: nothingGenerated,
  make: () =>
    framePage({
      title: 'Console of the rental store directory',
      styles: [],
      scripts: [],
      content: html`<main><h1>Console</h1></main>`,
    }),
};
