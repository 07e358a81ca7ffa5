/** The frame of a page. */
import { FAVICON_PATH } from '../src/http/paths.ts';
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
<link rel="icon" href="${FAVICON_PATH}" type="image/svg+xml">
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${scripts.map(
  (path) => html`<script type="module" src="${path}"></script>\n`,
)}</head>
<body>
${content}
</body>
</html>
`;
}
