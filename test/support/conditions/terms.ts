/** `language.in` and `country.in`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { folded } from '../oracle/folded.ts';
import { language } from '../stores/random-values.ts';
import { type Asked, anyOf, type Samples } from './condition-case.ts';

export const languagesOf = ({ localization }: SourceStore): readonly string[] =>
  localization.available;

export function countriesOf({ geo }: SourceStore): readonly string[] {
  const { country } = geo.main.canonicalComponents;
  return geo.displayAddress && country !== '' ? [country] : [];
}

/**
 * @param wordsOf the words that a store has
 * @param draw a word, of those of the stores or not
 * @param fold makes words equal that mean the same
 */
function anyWord(
  name: string,
  wordsOf: (store: SourceStore) => readonly string[],
  draw: (stores: readonly SourceStore[]) => fc.Arbitrary<string>,
  fold: (word: string) => string = String,
): Asked<readonly string[]> {
  return anyOf(
    name,
    (stores) => fc.array(draw(stores), { minLength: 1, maxLength: 3 }),
    (asked, store) => wordsOf(store).some((word) => asked.map(fold).includes(fold(word))),
  );
}

/** No list can have a word with a comma. */
const listedCountries = (stores: readonly SourceStore[]) =>
  stores
    .flatMap(countriesOf)
    .filter((word) => word.isWellFormed() && !word.includes(',') && word === word.trim());

export const TERMS_ASKED = {
  languageIn: anyWord('language.in', languagesOf, () => language),
  countryIn: anyWord(
    'country.in',
    countriesOf,
    (stores) => {
      const shown = listedCountries(stores).flatMap((word) => [word, word.toUpperCase()]);
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
