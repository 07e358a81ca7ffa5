/** Each page as Markdown, and the list of all pages: for programs, and for people who hand one to an assistant. */
import { LLMS_PATH } from '../../src/http/paths.ts';
import { type DocsPage, markdownPath } from './markdown.ts';
import { sectionOf } from './pages.ts';

/** Blocks of code and code within a line. */
const CODE = /(^```[\s\S]*?^```$|`[^`\n]+`)/m;

/** What markup becomes, in turn. */
const CONVERSIONS: readonly (readonly [RegExp, string])[] = [
  [/<try-it[\s\S]*?<\/try-it>/g, ''],
  [/<code[^>]*>(.*?)<\/code>/g, '`$1`'],
  [/<(summary|label)>(.*?)<\/\1>/g, '**$2**'],
  [/<li[^>]*>\s*(?:<details>\s*)?/g, '- '],
  [/<\/?[a-z][^>]*>/g, ''],
  // Pages lead to pages of their own form.
  [/\]\((\/docs\/[\w/-]+)/g, ']($1.md'],
  [/\n{3,}/g, '\n\n'],
];

/** Returns the page without the markup that only browsers use. What looks like markup in code is none. */
function markdownOf({ title, body }: DocsPage): string {
  const pieces = body
    .split(CODE)
    .map((piece, index) => (index % 2 === 1 ? piece : converted(piece)));
  return `# ${title}\n\n${pieces.join('').trim()}\n`;
}

const converted = (text: string): string =>
  CONVERSIONS.reduce(
    (before, [markup, replacement]) => before.replaceAll(markup, replacement),
    text,
  );

/** Returns the files that are served beside the pages, with their paths. */
export function markdownFiles(pages: readonly DocsPage[]): readonly (readonly [string, string])[] {
  const served = pages.filter(({ id }) => id !== '404');
  const files = served.map((page) => [markdownPath(page.id), markdownOf(page)] as const);
  return [...files, [LLMS_PATH, pageList(served)]];
}

/** Writes the list in the form of llmstxt.org, where optional parts may be left out. */
function pageList(pages: readonly DocsPage[]): string {
  const sections = Map.groupBy(pages, sectionOf);
  const lists = [...sections].map(([name, section]) => {
    const items = section.map(({ id, title }) => `- [${title}](${markdownPath(id)})`);
    return `## ${name.replace('All problems', 'Optional')}\n\n${items.join('\n')}\n`;
  });
  return `# Rental Store Directory

> Public profiles of rental stores (bikes, skis, boats, tools) over HTTP, read-only, in JSON.

Requests need a token in the header \`x-access-token\`. [/openapi.json](/openapi.json) describes all operations.

${lists.join('\n')}`;
}
