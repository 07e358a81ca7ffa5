/** The words of a text without case, accents and ligatures, letter by letter, each written out; and slips in them. */

import { remembering } from '../remembering.ts';

/** No eye sees them within a word: soft hyphen, tatweel, two joiners, word joiner, byte order mark. */
const UNSEEN = ['\u00ad', '\u0640', '\u200c', '\u200d', '\u2060', '\ufeff'];

/** Letters to Unicode, apostrophes to readers. */
const APOSTROPHES = ['ʹ', 'ʺ', 'ʻ', 'ʼ', 'ʽ', 'ʾ', 'ʿ'];

const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', þ: 'th', ς: 'σ' },
};

export const foldedWords = remembering((text: string): readonly string[] =>
  Array.from(folded(text), (letter) => (isOfWord(letter) ? letter : ' '))
    .join('')
    .split(' ')
    .filter((word) => word !== ''),
);

function folded(text: string): string {
  return Array.from(text.normalize('NFKD'))
    .filter((letter) => !/\p{M}/u.test(letter) && !UNSEEN.includes(letter))
    .join('')
    .toLowerCase()
    .split('')
    .map((letter) => LETTERS[letter] ?? letter)
    .join('');
}

const isOfWord = (letter: string) => /\p{L}|\p{N}/u.test(letter) && !APOSTROPHES.includes(letter);

/**
 * Returns whether `a` becomes `b` by at most so many slips: one letter more, less or another, or two
 * neighbours swapped. By the definition, over all ways to begin.
 */
export function isWithinSlips(slips: number, a: readonly string[], b: readonly string[]): boolean {
  if (Math.abs(a.length - b.length) > slips) return false;
  if (a.length === 0 || b.length === 0) return true;
  const [restOfA, restOfB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0] && isWithinSlips(slips, restOfA, restOfB)) return true;
  if (slips === 0) return false;
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return (
    isWithinSlips(slips - 1, restOfA, b) ||
    isWithinSlips(slips - 1, a, restOfB) ||
    isWithinSlips(slips - 1, restOfA, restOfB) ||
    (isSwapped && isWithinSlips(slips - 1, a.slice(2), b.slice(2)))
  );
}
