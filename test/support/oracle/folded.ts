/** Texts without case, accents and ligatures: letter by letter, each written out. */
export function folded(text: string): string {
  const letters: Record<string, string> = {
    ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', þ: 'th', ς: 'σ' },
  };
  return Array.from(text.normalize('NFKD'))
    .filter((letter) => !/\p{M}/u.test(letter))
    .join('')
    .toLowerCase()
    .split('')
    .map((letter) => letters[letter] ?? letter)
    .join('');
}
