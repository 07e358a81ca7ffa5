/** Words of commands that are shown to be pasted. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWord, visible } from '../../scripts/cli/output.ts';
import { shellWordsOf } from '../support/shell-words.ts';

/** All that a word of a command can hold: any character but NUL, and those of a shell more often. */
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...'\'"\\$`!*?~#;&|<>(){}[]=-% \t\n'), fc.string({ unit: 'binary' })),
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

it('is what a shell reads it as, and stays one where control characters are printed as escapes', async () => {
  const texts = fc.array(text, { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const words = given.map(shellWord);
      const command = ['say', ...words, ...words.map(visible)].join(' ');
      expect(await shellWordsOf(command)).toEqual([...given, ...given.map(visible)]);
    }),
    // Each starts a shell.
    { numRuns: 10 },
  );
});

it.each(['export.ndjson', '/data/stores-1.json', 'removed=35', 'https://127.0.0.1:8787'])(
  'has no quotes where it needs none: %s',
  (plain) => expect(shellWord(plain)).toBe(plain),
);
