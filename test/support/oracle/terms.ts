/** The conditions on words of stores, and what they go by. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES } from '../../../src/model/enumerations.ts';
import type { TermField } from '../../../src/model/term-fields.ts';

interface Term {
  /** The parameter that keeps the stores with any of its words. */
  readonly parameter: string;
  /** The words that a store shows. */
  readonly wordsOf: (store: SourceStore) => readonly string[];
  /** The words that facets have first; the others follow by their letters. */
  readonly first: readonly string[];
  readonly isSame: (asked: string, word: string) => boolean;
}

export const TERMS: Readonly<Record<TermField, Term>> = {
  languages: {
    parameter: 'language.in',
    wordsOf: ({ localization }) => localization.available,
    first: LANGUAGES,
    isSame: (asked, word) => asked === word,
  },
  countries: {
    parameter: 'country.in',
    wordsOf: ({ geo }) => {
      const { country } = geo.main.canonicalComponents;
      return geo.displayAddress && country !== '' ? [country] : [];
    },
    first: [],
    isSame: (asked, word) => folded(asked) === folded(word),
  },
};

/** What a request asks for: of fields, any of these words. */
export type AskedTerms = { readonly [Field in TermField]?: readonly string[] };

/** Whether a store has any of the words of each field. */
export function passesTerms(store: SourceStore, asked: AskedTerms): boolean {
  return Object.entries(asked).every(([field, words]) => {
    const { wordsOf, isSame } = TERMS[field as TermField];
    return wordsOf(store).some((word) => words.some((each) => isSame(each, word)));
  });
}

/** Letter by letter, as DESIGN lists them. */
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
