/** What is printed of foreign text: nothing that is not seen, and no command of the host of a job. */
import { afterEach, expect, it, vi } from 'vitest';
import { printText, visible } from '../../scripts/cli/output.ts';

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
