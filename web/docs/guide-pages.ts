/** The guides of `docs/guides` as pages. In the repository they are read as they are. */
import { GUIDES_PATH } from '../../src/http/paths.ts';
import { CODE_LANGUAGES, languageTabs, type Panel } from './markdown.ts';

/** Blocks of code with nothing between them. */
const ADJACENT_BLOCKS = /(?:^```\w*\n[\s\S]*?\n```\n\n?){2,}/gm;
const BLOCK = /^```(\w*)\n[\s\S]*?\n```\n/gm;

/** Guides name each other as files. */
const LINK = /\]\((?:docs\/guides\/|\.\.\/\.\.\/)?([\w-]+)\.md/g;

/** Returns a guide with links to pages, and with tabs. */
export const withLinksAndTabs = (guide: string): string =>
  guide
    .replaceAll(LINK, (_, linked: string) => `](${GUIDES_PATH}/${linked.toLowerCase()}`)
    .replaceAll(ADJACENT_BLOCKS, withTabs);

/** Makes tabs of the same program in several languages, each with what it prints. */
function withTabs(adjacent: string, offset: number): string {
  const panels: Panel[] = [];
  for (const [block, language = ''] of adjacent.matchAll(BLOCK)) {
    const label = CODE_LANGUAGES[language as keyof typeof CODE_LANGUAGES];
    const before = panels.at(-1);
    if (label !== undefined) panels.push({ label, body: block });
    else if (before) before.body += `\n${block}`;
    else return adjacent;
  }
  const labels = new Set(panels.map(({ label }) => label));
  return labels.size > 1 && labels.size === panels.length
    ? `${languageTabs(`languages-${offset}`, panels)}\n\n`
    : adjacent;
}
