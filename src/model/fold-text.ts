/** Texts compared as people type them: by words, without case, accents, ligatures and signs. */

/** Letters that decomposition leaves whole. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};

const WHOLE_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * What a word may hold without looking or sounding otherwise: accents, soft hyphen, tatweel, joiners
 * and non-joiners.
 */
const UNSEEN = /[\p{M}\u00ad\u0640\u200c-\u200d\u2060\ufeff]/gu;

/** Unicode counts marks such as `ʼ` and `ʻ` as letters; they stand for an apostrophe, which separates. */
const WORDS = /[[\p{L}\p{N}]--[\u02b9-\u02bf]]+/gv;

/** Returns the words of a text, folded: the longest runs of letters and digits. */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .toLowerCase()
    .replace(WHOLE_LETTERS, (letter) => LETTERS[letter] as string);
  return folded.match(WORDS) ?? [];
}

/**
 * Returns the folded words of a text in their order, joined by a blank: equal for names of cities
 * and countries that mean the same, empty for a text without letter or digit.
 */
export function foldWords(text: string): string {
  return wordsOf(text).join(' ');
}
