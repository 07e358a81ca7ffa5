/** `GET /explore`: stores on a map. */
import { html } from '../html.ts';
import { framePage } from '../page.ts';
import { nothingGenerated, type PageSource } from '../site.ts';

const SCRIPT = 'web/explore/browser/explore.ts';
const STYLE = 'web/explore/browser/explore.css';

export const explorePage: PageSource = {
  sources: [SCRIPT, STYLE],
  generate: nothingGenerated,
  make: ({ url }) =>
    framePage({
      title: 'Explore rental stores',
      styles: [url(STYLE)],
      scripts: [url(SCRIPT)],
      content: html`<main>
<h1>Explore rental stores</h1>
<p id="health" role="status">Asking the service…</p>
</main>`,
    }),
};
