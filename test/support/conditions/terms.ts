/** `language.in` and `country.in`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import { folded } from '../oracle/words.ts';
import { language } from '../stores/random-values.ts';
import { anyOf, type Samples } from './condition-case.ts';

/** The country of a store, unless it has none or hides it. */
export function countriesOf({ geo }: SourceStore): readonly string[] {
  const { country } = geo.main.canonicalComponents;
  return geo.displayAddress && country !== '' ? [country] : [];
}

const upToThree = <Word>(word: fc.Arbitrary<Word>) =>
  fc.array(word, { minLength: 1, maxLength: 3 });

/** Countries of the stores, in some case, and two that none has; no list can have one with a comma. */
function countries(stores: readonly SourceStore[]): fc.Arbitrary<string> {
  const shown = stores
    .flatMap(countriesOf)
    .filter((word) => word.isWellFormed() && !word.includes(',') && word === word.trim());
  return fc.constantFrom(
    ...shown.flatMap((word) => [word, word.toUpperCase()]),
    ...['Atlantis', 'ÎTALIE'],
  );
}

export const TERMS_ASKED = {
  languageIn: anyOf<Language>(
    'language.in',
    () => upToThree(language),
    (asked, store) => asked.some((each) => store.localization.available.includes(each)),
    'languages',
  ),
  countryIn: anyOf<string>(
    'country.in',
    (stores) => upToThree(countries(stores)),
    (asked, store) =>
      countriesOf(store).some((word) => asked.some((each) => folded(each) === folded(word))),
    'countries',
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
