/** CHANGELOG.md tells data teams and operators of every command that they have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';

const read = (file: string) => readFileSync(join(PROJECT_FOLDER, file), 'utf8');

function commandNames(): string[] {
  const files = readdirSync(join(PROJECT_FOLDER, 'scripts'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => `scripts/${file}`);
  return sources.flatMap((file) =>
    [...read(file).matchAll(/ = defineCommand(?:<\w+>)?\(\s*'([a-z]+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
}

it('names every command, and the options by which an export is held to what it should be', () => {
  const sections = read('CHANGELOG.md').split(/^### /m);
  const theirs = sections.filter((text) => text.startsWith('For data teams')).join('');
  const code = [...theirs.matchAll(/`([^`]+)`/g)].map(([, text]) => text).join(' ');
  const names = commandNames();
  // Those of `snapshot` and `token`, and of npm itself.
  expect(names.length).toBeGreaterThan(17);
  for (const name of [...names, '--expect-stores', '--dry-run']) {
    expect(code.split(/[\s<>]+/), name).toContain(name);
  }
});
