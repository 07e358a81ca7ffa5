/** The guides as pages: what tabs are made of. That links lead on, http/docs.worker.test.ts sees. */
import { expect, it } from 'vitest';
import { withLinksAndTabs } from '../../web/docs/guide-pages.ts';

const pageOf = (...blocks: string[]) => {
  const code = blocks.map((block) => `\`\`\`${block}\n\`\`\`\n`).join('\n');
  return withLinksAndTabs(`${code}\nAnd then.\n`);
};

it('makes tabs of the same in two languages, each with what it prints, and of nothing else', () => {
  const body = pageOf('ts\nlog()', 'text\n1', 'python\nprint()', 'text\n2');
  const [, first, second, ...others] = body.split('<label>');
  expect(others).toEqual([]);
  expect(first).toMatch(/>TypeScript<[\s\S]*log\(\)[\s\S]*1/);
  expect(second).toMatch(/>Python<[\s\S]*print\(\)[\s\S]*2[\s\S]*<\/div>\n\nAnd then\.\n$/);
  expect(pageOf('sh\ncurl', 'json\n{}')).not.toContain('data-languages');
});
