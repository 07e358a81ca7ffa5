/** Descriptions of the document, which are written in Markdown, as HTML. */
import { Marked } from 'marked';
import { Html, html } from '../html.ts';

const marked = new Marked({
  gfm: true,
  renderer: {
    // `<prefix>` in a sentence is text, as everywhere else in the document.
    html: ({ text }) => html`${text}`.text,
  },
});

/** Paragraphs, lists and code. */
export function markdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

/** A text for a cell of a table: no paragraphs. */
export function inlineMarkdown(text: string): Html {
  return new Html(marked.parseInline(text, { async: false }));
}
