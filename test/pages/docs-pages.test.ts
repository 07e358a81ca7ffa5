/** The guides as pages: what tabs are made of. That links lead on, http/docs.worker.test.ts sees. */
import { expect, it } from 'vitest';
import { withLinksAndTabs } from '../../web/docs/guide-pages.ts';

const CODE = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

const pageOf = (...blocks: string[]) => withLinksAndTabs(`${blocks.join('\n')}\nAnd then.\n`);

it('makes tabs of the same in two languages, each with what it prints, and of nothing else', () => {
  const typeScript = [CODE('ts', 'log()'), CODE('text', '1')];
  const body = pageOf(...typeScript, CODE('python', 'print()'), CODE('text', '2'));
  const [, first, second, ...others] = body.split('<label>');
  expect(others).toEqual([]);
  expect(first).toMatch(/>TypeScript<[\s\S]*log\(\)[\s\S]*1/);
  expect(second).toMatch(/>Python<[\s\S]*print\(\)[\s\S]*2[\s\S]*<\/div>\n\nAnd then\.\n$/);
  expect(pageOf(CODE('sh', 'curl'), CODE('json', '{}'))).not.toContain('data-languages');
});
