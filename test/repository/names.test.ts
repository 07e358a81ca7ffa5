/** Words that names and comments do not use: a reader searches for the usual ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const FOLDERS = ['src', 'client/src', 'bench', 'fixtures'];

/** What stands in the place of each is in its title. */
const FORBIDDEN: readonly (readonly [title: string, pattern: RegExp])[] = [
  [
    'limits are MAX_, MIN_ or DEFAULT_',
    /\b(?:MOST|LONGEST|LEAST|FEWEST|LARGEST|SMALLEST|STANDARD)_[A-Z]/,
  ],
  ['the request that pays for reads is a ReadContext', /\bBackground\b/],
  [
    'comments write the noun instead of "those of" or "that of"',
    /^\s*(?:\/?\*|\/\/).*\b[Tt]h(?:ose|at) of\b/,
  ],
  [
    'comments name their subject',
    /^\s*(?:\/?\*|\/\/).*\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever|[Tt]old of)\b/,
  ],
  [
    'measurements stand in RESULTS or in the commit',
    /^\s*(?:\/?\*|\/\/).*\d ?(?:µs|microseconds)\b/,
  ],
];

const LINES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    // The benchmark keeps a checkout of another commit while it compares.
    .filter((name) => name.endsWith('.ts') && !name.startsWith('.cache'))
    .flatMap((name) => {
      const lines = readFileSync(join(ROOT, folder, name), 'utf8').split('\n');
      return lines.map((line, index) => ({ line, where: `${folder}/${name}:${index + 1}` }));
    }),
);

it.each(FORBIDDEN)('%s', (_title, pattern) => {
  expect(LINES.length).toBeGreaterThan(10_000);
  expect(LINES.filter(({ line }) => pattern.test(line))).toEqual([]);
});
