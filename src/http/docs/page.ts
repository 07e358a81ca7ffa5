/** The frame of a documentation page. Pages have no scripts and load nothing. */
import type { Reply } from '../exchange.ts';
import { type Html, html } from './html.ts';

const STYLE = html`
  :root { color-scheme: light dark; }
  body { font: 1rem/1.55 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
  h1, h2, h3 { line-height: 1.2; }
  h2 { margin-top: 2.5rem; }
  code, pre { font: 0.9em/1.45 ui-monospace, monospace; }
  pre { overflow-x: auto; padding: 0.8rem; border: 1px solid #8886; border-radius: 4px; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-bottom: 1px solid #8886; }
`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=300',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** A page. It must not depend on the request, as shared caches may keep it. */
export function page(title: string, content: Html): Reply {
  const whole = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`;
  return { status: 200, body: whole.text, headers: HEADERS };
}

export function table(headings: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  const body = rows.map(
    (cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  );
  return html`<div class="wide"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody>
</table></div>`;
}
