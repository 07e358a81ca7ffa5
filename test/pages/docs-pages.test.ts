/** The guides as pages: what tabs are made of. That links lead on, http/docs.worker.test.ts sees. */
import { expect, it } from 'vitest';
import { guidePage } from '../../web/docs/guide-pages.ts';

const CODE = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

it('makes tabs of the same in two languages, each with what it prints, and of nothing else', () => {
  const programs = [
    CODE('ts', 'log()'),
    CODE('text', '1'),
    CODE('python', 'print()'),
    CODE('text', '2'),
  ];
  const { body } = guidePage('versions', `# Versions\n\n${programs.join('\n')}\nAnd then.\n`);
  const [first = '', second = '', ...others] = body.split('<label>').slice(1);
  expect(others).toEqual([]);
  expect(first).toMatch(/>TypeScript<[\s\S]*log\(\)[\s\S]*1/);
  expect(second).toMatch(/>Python<[\s\S]*print\(\)[\s\S]*2/);
  expect(body).toMatch(/<\/section><\/div>\n\nAnd then\.\n$/);
  const request = `# Versions\n\n${CODE('sh', 'curl')}\n${CODE('json', '{}')}`;
  expect(guidePage('versions', request).body).not.toContain('data-languages');
});
