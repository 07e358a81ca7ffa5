/** The words of a text without case, accents and ligatures: letter by letter, each written out. */

/** No eye sees them within a word: soft hyphen, tatweel, two joiners, word joiner, byte order mark. */
const UNSEEN = ['\u00ad', '\u0640', '\u200c', '\u200d', '\u2060', '\ufeff'];

/** Letters to Unicode, apostrophes to readers. */
const APOSTROPHES = ['ʹ', 'ʺ', 'ʻ', 'ʼ', 'ʽ', 'ʾ', 'ʿ'];

const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', þ: 'th', ς: 'σ' },
};

export function foldedWords(text: string): string[] {
  return Array.from(folded(text), (letter) => (isOfWord(letter) ? letter : ' '))
    .join('')
    .split(' ')
    .filter((word) => word !== '');
}

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
