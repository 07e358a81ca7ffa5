/** All pages of the documentation, in Markdown. */
import { readFile } from 'node:fs/promises';
import { GUIDES, operationPath } from '../../src/http/paths.ts';
import { PROBLEM_CODES } from '../../src/model/problem.ts';
import { treeOfStore } from './field-tree.ts';
import { withLinksAndTabs } from './guide-pages.ts';
import { type DocsPage, table } from './markdown.ts';
import { document, operations } from './openapi.ts';
import { operationPage } from './operation-pages.ts';
import { faultTable, problemPage, problemTable } from './problem-pages.ts';

/** Makes all pages, in the folder of the project. The changelog is a guide too. */
export async function docsPages(): Promise<DocsPage[]> {
  const list = operationList();
  return Promise.all([
    textPage('index', { operations: list }),
    ...GUIDES.map(guidePage),
    textPage('reference', {
      operations: list,
      description: document.info.description,
      headers: headerTable(),
    }),
    textPage('fields', { fields: treeOfStore() }),
    ...operations.map(operationPage),
    textPage('problems', { problems: problemTable(), faults: faultTable() }),
    ...PROBLEM_CODES.map(problemPage),
    textPage('404'),
  ]);
}

async function guidePage(name: (typeof GUIDES)[number]): Promise<DocsPage> {
  const file = name === 'changelog' ? 'CHANGELOG.md' : `docs/guides/${name}.md`;
  const guide = await filePage(`guides/${name}`, file);
  return { ...guide, body: withLinksAndTabs(guide.body) };
}

/** Makes the page of a text of our own. @param parts replace `{{…}}`, by their names */
async function textPage(id: string, parts: Readonly<Record<string, string>> = {}) {
  const text = await filePage(id, `web/docs/texts/${id}.md`);
  const body = text.body.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name] ?? '');
  return { ...text, body };
}

/** Makes a page of a file, which begins with its title. */
async function filePage(id: string, file: string): Promise<DocsPage> {
  const text = await readFile(file, 'utf8');
  const [, title = '', body = ''] = /^# (.*)\n+([\s\S]*)/.exec(text) ?? [];
  return { id, title, body };
}

/** Returns the section that has the page. In the sidebar the first page stands above them. */
export function sectionOf({ id }: DocsPage): string {
  if (id.startsWith('problems/')) return 'All problems';
  return /^(guides\/|index)/.test(id) ? 'Guides' : 'Reference';
}

/** Writes the headers of answers. */
function headerTable(): string {
  const rows = Object.entries(document.components.headers);
  return table(
    ['Header', 'Meaning'],
    rows.map(([name, { description }]) => [`\`${name}\``, description]),
  );
}

/** Writes links to the operations. */
const operationList = (): string =>
  operations
    .map(
      ({ operationId, summary, path }) =>
        `- [${summary}](${operationPath(operationId)})\\\n  \`GET ${path}\``,
    )
    .join('\n');
