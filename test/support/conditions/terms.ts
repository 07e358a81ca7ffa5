/** `language.in` and `country.in`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Facet } from '../../../src/model/facets.ts';
import { folded } from '../oracle/words.ts';
import { language } from '../stores/random-values.ts';
import { type Asked, anyOf, type Samples } from './condition-case.ts';

/** The words that a store has of each facet. */
export const WORDS_OF: Readonly<Record<Facet, (store: SourceStore) => readonly string[]>> = {
  verticales: ({ profile }) => profile.verticales,
  languages: ({ localization }) => localization.available,
  countries: ({ geo }) => {
    const { country } = geo.main.canonicalComponents;
    return geo.displayAddress && country !== '' ? [country] : [];
  },
};

/**
 * @param draw a word, of those of the stores or not
 * @param fold makes words equal that mean the same
 */
function anyWord(
  name: string,
  facet: Facet,
  draw: (stores: readonly SourceStore[]) => fc.Arbitrary<string>,
  fold: (word: string) => string = String,
): Asked<readonly string[]> {
  return anyOf(
    name,
    (stores) => fc.array(draw(stores), { minLength: 1, maxLength: 3 }),
    (asked, store) => WORDS_OF[facet](store).some((word) => asked.map(fold).includes(fold(word))),
    facet,
  );
}

/** Words of the stores; no list can have one with a comma. */
const wordsIn = (stores: readonly SourceStore[], facet: Facet) =>
  stores
    .flatMap(WORDS_OF[facet])
    .filter((word) => word.isWellFormed() && !word.includes(',') && word === word.trim());

export const TERMS_ASKED = {
  languageIn: anyWord('language.in', 'languages', () => language),
  countryIn: anyWord(
    'country.in',
    'countries',
    (stores) => {
      const shown = wordsIn(stores, 'countries').flatMap((word) => [word, word.toUpperCase()]);
      return fc.constantFrom(...shown, 'Atlantis', 'ÎTALIE');
    },
    folded,
  ),
};

export const TERMS_SAMPLES: Samples = {
  pairs: () => ({
    'language.in': ['language.in=fr', 'language.in=de'],
    'country.in': ['country.in=France', 'country.in=Atlantis'],
  }),
  same: [
    ['country.in=España,france', 'country.in=FRANCE&country.in=espana'],
    ['country.in=Italy,New Zealand', 'country.in=new+zealand, italy'],
    ['language.in=de,fr', 'language.in=fr%2C%20de'],
  ],
  tried: [
    ['Language', 'Did you mean "language.in" or "lang"?'],
    ['country', 'Did you mean "country.in"?'],
  ],
};
