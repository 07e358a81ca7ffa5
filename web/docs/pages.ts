/** All pages of the documentation, in Markdown. */
import { readFile } from 'node:fs/promises';
import { GUIDE_NAMES, operationPath } from '../../src/http/paths.ts';
import { PROBLEM_CODES } from '../../src/model/problem.ts';
import { treeOfStore } from './field-tree.ts';
import { guidePage } from './guide-pages.ts';
import { type DocsPage, table } from './markdown.ts';
import { document, operations } from './openapi.ts';
import { operationPage } from './operation-pages.ts';
import { faultTable, problemPage, problemTable } from './problem-pages.ts';

/** Texts of our own, with the names of what replaces `{{…}}`. */
const TEXTS = 'web/docs/texts';

/** Makes all pages, in the folder of the project. The changelog is a guide too. */
export async function docsPages(): Promise<DocsPage[]> {
  const read = (file: string) => readFile(file, 'utf8');
  const textPage = async (id: string, parts: Readonly<Record<string, string>> = {}) => {
    const [, title = '', body = ''] =
      /^# (.*)\n([\s\S]*)/.exec(await read(`${TEXTS}/${id}.md`)) ?? [];
    return { id, title, body: body.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name] ?? '') };
  };
  const list = operationList();
  return Promise.all([
    textPage('index', { operations: list }),
    ...GUIDE_NAMES.map(async (name) =>
      guidePage(name, await read(name === 'changelog' ? 'CHANGELOG.md' : `docs/guides/${name}.md`)),
    ),
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
