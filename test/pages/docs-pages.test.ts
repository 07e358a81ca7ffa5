/** The guides as pages: the same files that readers of the repository have. */
import { expect, it } from 'vitest';
import { guidePage } from '../../web/docs/guide-pages.ts';

const CODE = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

it('leads from guide to guide, by the links that files have', () => {
  const { body, title } = guidePage(
    'versions',
    '# Versions\n\nSee the [changelog](../../CHANGELOG.md), and more. [Here](opening-hours.md#the-rules).\n',
  );
  expect(title).toBe('Versions');
  expect(body).toContain('[changelog](/docs/guides/changelog)');
  expect(body).toContain('[Here](/docs/guides/opening-hours#the-rules)');
  expect(() => guidePage('versions', '# Versions\n\n[No](nope.md)\n')).toThrow('no guide nope');
});

it('makes tabs of the same in two languages, each with what it prints, and of nothing else', () => {
  const programs = [
    CODE('ts', 'log()'),
    CODE('text', '1'),
    CODE('python', 'print()'),
    CODE('text', '2'),
  ];
  const { body } = guidePage('versions', `# Versions\n\n${programs.join('\n')}\nAnd then.\n`);
  const [first = '', second = '', ...others] = body.split('<section>').slice(1);
  expect(others).toEqual([]);
  expect(first).toMatch(/TypeScript<\/p>[\s\S]*log\(\)[\s\S]*1/);
  expect(second).toMatch(/Python<\/p>[\s\S]*print\(\)[\s\S]*2/);
  expect(body).toMatch(/<\/code-tabs>\n\nAnd then\.\n$/);
  const request = `# Versions\n\n${CODE('sh', 'curl')}\n${CODE('json', '{}')}`;
  expect(guidePage('versions', request).body).not.toContain('code-tabs');
});
