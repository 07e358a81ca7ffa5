/** The search by words, letter by letter. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

export interface Search {
  readonly reading: 'exact' | 'close';
  /** Of the stores that match: how many words are in the name, and how many are whole words. */
  readonly found: ReadonlyMap<SourceStore, readonly [named: number, whole: number]>;
}

export function search(stores: readonly SourceStore[], q: string): Search {
  const exact = matches(stores, q, begins);
  if (exact.size > 0) return { reading: 'exact', found: exact };
  return { reading: 'close', found: matches(stores, q, almostBegins) };
}

type Fits = (asked: string, word: string) => boolean;

function matches(stores: readonly SourceStore[], q: string, fits: Fits): Search['found'] {
  const asked = [...new Set(wordsOf(q))];
  const found = new Map<SourceStore, readonly [number, number]>();
  for (const store of stores) {
    const named = wordsOf(store.profile.name);
    const all = [...named, ...placeWords(store)];
    const count = (has: (each: string) => boolean) => asked.filter(has).length;
    if (count((each) => all.some((word) => fits(each, word))) < asked.length) continue;
    found.set(store, [
      count((each) => named.some((word) => fits(each, word))),
      count((each) => all.includes(each)),
    ]);
  }
  return found;
}

export function placeWords({ geo }: SourceStore): string[] {
  if (!geo.displayAddress) return [];
  return [geo.main, ...geo.rentalPoints].flatMap(({ components, canonicalComponents }) => [
    ...[components.city, canonicalComponents.city, components.postalCode].flatMap(wordsOf),
    ...[wordsOf(components.postalCode).join('')].filter((joined) => joined !== ''),
  ]);
}

const isLetter = (letter: string) => /\p{L}/u.test(letter);
const isWordLetter = (letter: string) => isLetter(letter) || /\p{N}/u.test(letter);

/** Every word that a store has. */
export const allWords = (store: SourceStore) => [
  ...wordsOf(store.profile.name),
  ...placeWords(store),
];

export function wordsOf(text: string): string[] {
  const spaced = Array.from(folded(text), (letter) => (isWordLetter(letter) ? letter : ' '));
  return spaced
    .join('')
    .split(' ')
    .filter((word) => word !== '');
}

const begins: Fits = (asked, word) => word.startsWith(asked);

const almostBegins: Fits = (asked, word) => {
  if (begins(asked, word)) return true;
  const letters = Array.from(asked);
  if (letters.length < 5 || !letters.every(isLetter)) return false;
  const others = Array.from(word);
  return others.some((_, place) => isSlip(letters, others.slice(0, place + 1)));
};

function isSlip(one: readonly string[], other: readonly string[]): boolean {
  if (one.length < other.length) return isSlip(other, one);
  if (one.length === other.length + 1) {
    return one.some((_, place) => one.toSpliced(place, 1).join('') === other.join(''));
  }
  if (one.length !== other.length) return false;
  const apart = one.flatMap((letter, place) => (letter === other[place] ? [] : [place]));
  const [first = 0, second = 0] = apart;
  if (apart.length === 1) return true;
  return (
    apart.length === 2 &&
    second === first + 1 &&
    one[first] === other[second] &&
    one[second] === other[first]
  );
}

/** Letter by letter, each written out. */
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
