/** Pieces of the Markdown that pages are made of. */
import { DOCS_PATH, MARKDOWN_ENDING } from '../../src/http/paths.ts';

/** A page, before Starlight gets it. */
export interface DocsPage {
  /** Its path below `/docs`; the first page has `index`. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

/** Returns the path of a page as Markdown. */
export const markdownPath = (id: string): string => `${DOCS_PATH}/${id}${MARKDOWN_ENDING}`;

/** Languages in which a request can be written, with the names of their tabs. */
export const CODE_LANGUAGES = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
} as const;

/** One of several tabs: a program in one of the languages, a request, an answer, a status. */
export interface Panel {
  readonly label: string;
  body: string;
}

export function codeBlock(source: string, language: string): string {
  return `\`\`\`${language}\n${source}\n\`\`\``;
}

/** Returns small labels beside a name: those that hold. */
export const marks = (...labels: readonly (string | false)[]): string =>
  labels
    .map((label) => label && ` <span class="mark">${label}</span>`)
    .filter(Boolean)
    .join('');

export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [headings, headings.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Writes blocks one after the other. */
export const blocks = (...all: readonly string[]): string => all.filter(Boolean).join('\n\n');

/** Writes blocks within an element. */
export function element(tag: string, attributes: string, ...inner: readonly string[]): string {
  return blocks(`<${`${tag} ${attributes}`.trim()}>`, ...inner, `</${tag}>`);
}

/** Writes blocks that unfold below a line of HTML. */
export const fold = (summary: string, ...inner: readonly string[]): string =>
  element('details', '', `<summary>${summary}</summary>`, ...inner);

/**
 * Panels of which the one behind the chosen button is shown.
 * @param name tells the buttons of these tabs from others on the page
 */
export function tabs(name: string, panels: readonly Panel[], attributes = ''): string {
  const sections = panels.map(({ label, body }, index) => {
    const chosen = index === 0 ? ' checked' : '';
    const button = `<input type="radio" name="${name}" value="${label}"${chosen}>`;
    const panel = `<section aria-label="${label}" tabindex="0">`;
    return blocks(`<label>${button}${label}</label>${panel}`, body, '</section>');
  });
  return `<div class="tabs" role="group" aria-label="Shown"${attributes}>${sections.join('')}</div>`;
}

/** Writes the same in several languages: the reader's choice holds on all pages. */
export const languageTabs = (name: string, panels: readonly Panel[]): string =>
  tabs(name, panels, ' data-languages');
