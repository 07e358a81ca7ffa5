/** What is printed of foreign text: nothing that is not seen, no command of the host of a job, and words that a shell reads as they are. */

import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { cannotWrite } from '../../scripts/cli/command-error.ts';
import { printText, shellWord, visible } from '../../scripts/cli/output.ts';
import { shellWordsOf } from '../support/shell-words.ts';

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['a byte order mark in a file', '\ufeff{', '\\ufeff{'],
  ['a blank of no width', 'a\u200bb\u2060', 'a\\u200bb\\u2060'],
  ['a soft hyphen', 'a\u00adb', 'a\\u00adb'],
  ['a joiner where nothing is joined', '5eb3\u200d', '5eb3\\u200d'],
  ['a letter that fills', '\u3164', '\\u3164'],
  ['a tag', '\u{e0041}', '\\udb40\\udc41'],
  ['a line end', 'a\n\u2028b', 'a\\u000a\\u2028b'],
  ['what turns text', '\u202eabc', '\\u202eabc'],
  ['letters, emoji and joiners of scripts', 'é 日本 👨‍👩‍👧 1️⃣ نمی‌خواهم', 'é 日本 👨‍👩‍👧 1️⃣ نمی‌خواهم'],
])('%s is shown', (_name, text, shown) => {
  expect(visible(text)).toBe(shown);
});

it.each([
  ['##vso[task.setvariable variable=a]b', '#\\u0023vso[task.setvariable variable=a]b'],
  ['a ##[error]b', 'a #\\u0023[error]b'],
  ["##teamcity[buildStop comment='']", "#\\u0023teamcity[buildStop comment='']"],
  ['x\n  ::error::y', 'x\n  \\u003a:error::y'],
  ['# 1 [a] b::c', '# 1 [a] b::c'],
])('%s is no command', async (text, shown) => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  await printText(text);
  expect(write).toHaveBeenCalledWith(`${shown}\n`);
});

/** All that a word of a command can hold: any character but NUL, and those of a shell more often. */
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...'\'"\\$`!*?~#;&|<>(){}[]=-% \t\n'), fc.string({ unit: 'binary' })),
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

it('a word of a command is what a shell reads it as, and stays one where control characters are printed as escapes', async () => {
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
  'a word has no quotes where it needs none: %s',
  (plain) => expect(shellWord(plain)).toBe(plain),
);

it.each([
  ['a program that cannot be started', { code: 'ENOENT', syscall: 'spawn npm', path: 'npm' }],
  ['a connection that is refused', { code: 'ECONNREFUSED', syscall: 'connect' }],
])('%s is no file that cannot be written', async (_what, facts) => {
  const error = Object.assign(new Error('failed'), facts);
  await expect(Promise.reject(error).catch(cannotWrite('out'))).rejects.toBe(error);
});
