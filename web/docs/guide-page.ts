/** `GET /docs/guides/<name>`: a guide, made of its Markdown in `docs/guides`. */
import { Marked, type Tokens } from 'marked';
import { DOCS_PATH, GUIDE_NAMES, GUIDES, type GuideName, guidePath } from '../../src/http/paths.ts';
import { Html, html } from '../html.ts';
import { framePage, table } from '../page.ts';
import type { Site } from '../site.ts';
import { DOCS_SCRIPT, DOCS_STYLE } from './files.ts';
import { siteHeader } from './header.ts';
import { codeBlock } from './sample-tabs.ts';

const marked = new Marked({
  gfm: true,
  renderer: {
    // `origin`: the page puts the address of the service in the place of an invented one.
    code: ({ text }) => codeBlock(text, 'origin').text,
    table({ header, rows }) {
      const inline = ({ tokens }: Tokens.TableCell) => new Html(this.parser.parseInline(tokens));
      const cells = rows.map((row) => row.map(inline));
      return table(
        header.map(({ text }) => text),
        cells,
      ).text;
    },
    // `<prefix>` in a sentence is text.
    html: ({ text }) => html`${text}`.text,
  },
  walkTokens: (token) => {
    // In the repository guides name each other as files.
    if (token.type === 'link')
      token.href = token.href.replace(/^(?:docs\/guides\/|\.\.\/\.\.\/)?([\w-]+)\.md/, guideOfFile);
  },
});

function guideOfFile(_: string, file: string): string {
  const name = file.toLowerCase();
  if (!Object.hasOwn(GUIDES, name)) throw new Error(`there is no guide ${name}`);
  return guidePath(name as GuideName);
}

/** @param text the guide in Markdown, which begins with its title */
export function guidePage(name: GuideName, text: string, site: Site): Html {
  return framePage({
    title: `${GUIDES[name]}: rental store directory`,
    styles: [site.url(DOCS_STYLE)],
    scripts: [site.url(DOCS_SCRIPT)],
    content: html`${siteHeader(site)}
<main class="single" id="content">
<p><a href="${DOCS_PATH}#guides">All guides</a></p>
${new Html(marked.parse(text, { async: false }))}
${nextGuide(name)}
</main>`,
  });
}

function nextGuide(name: GuideName): Html {
  const next = GUIDE_NAMES[GUIDE_NAMES.indexOf(name) + 1];
  return next ? html`<p>Next: <a href="${guidePath(next)}">${GUIDES[next]}</a></p>` : html``;
}
