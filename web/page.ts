/** The frame of a page. */
import { type Html, html } from './html.ts';

export interface PageFrame {
  readonly title: string;
  /** Paths of styles and scripts in the service. Scripts are modules: they run when the page is read. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly content: Html;
}

export function framePage({ title, styles, scripts, content }: PageFrame): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${scripts.map(
  (path) => html`<script type="module" src="${path}"></script>\n`,
)}</head>
<body>
${content}
</body>
</html>
`;
}

export function table(headings: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  const body = rows.map(
    ([
      first,
      ...cells
    ]) => html`<tr><th scope="row">${first ?? ''}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  );
  return html`<table class="rows">
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody>
</table>`;
}
