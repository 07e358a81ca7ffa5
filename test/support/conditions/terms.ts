/** `language.in`, `country.in` and `facets`. */
import fc from 'fast-check';
import type { Facet } from '../../../client/src/query.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import { FACETS } from '../../../src/model/facets.ts';
import { foldedWords } from '../oracle/folded.ts';
import { language } from '../stores/random-values.ts';
import { type Asked, anyOf, encoded, type Samples } from './condition-case.ts';

const languagesOf = ({ localization }: SourceStore): readonly string[] => localization.available;

function countriesOf({ geo }: SourceStore): readonly string[] {
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
    (word) => foldedWords(word).join(' '),
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
    ...[
      "COTE D'IVOIRE",
      'Côte d’Ivoire',
      'Co\u0302te dʼIvoire',
      ' (cote-d-ivoire)',
      'cote\u00a0d′iv\u00adoire',
    ].map((name) => ['country.in=cote d ivoire', `country.in=${encoded(name)}`] as const),
  ],
  tried: [
    ['Language', 'Did you mean "language.in" or "lang"?'],
    ['country', 'Did you mean "country.in"?'],
  ],
};

/**
 * What each facet counts, and what it leaves aside. The client writes the words of `Facet` by hand: they
 * are those of `FACETS`, or this does not compile.
 */
const COUNTED: Readonly<Record<(typeof FACETS)[number], Counted>> = {
  verticales: {
    wordsOf: ({ profile }) => profile.verticales,
    leftAside: ['verticaleIn', 'verticaleEquals'],
  },
  languages: { wordsOf: languagesOf, leftAside: ['languageIn'] },
  countries: { wordsOf: countriesOf, leftAside: ['countryIn'] },
};

interface Counted {
  wordsOf(store: SourceStore): readonly string[];
  readonly leftAside: readonly string[];
}

/** The words that come first; the others follow by their letters. */
const FIRST: Readonly<Partial<Record<Facet, readonly string[]>>> = {
  verticales: VERTICALES,
  languages: LANGUAGES,
};

function countsOf(facet: Facet, stores: readonly SourceStore[]): object {
  const found = stores.map(COUNTED[facet].wordsOf);
  const inOrder = new Set([...(FIRST[facet] ?? []), ...found.flat().sort()]);
  const counts = [...inOrder].map((word) => {
    return [word, found.filter((each) => each.includes(word)).length] as const;
  });
  return Object.fromEntries(counts.filter(([, number]) => number > 0));
}

export const FACETS_ASKED = {
  facets: {
    draw: () => fc.uniqueArray(fc.constantFrom(...FACETS), { minLength: 1 }),
    write: (facets) => ({ facets }),
    member: (asked, matching) => ({
      facets: Object.fromEntries(
        FACETS.filter((facet) => asked.includes(facet)).map((facet) => [
          facet,
          countsOf(facet, matching(COUNTED[facet].leftAside)),
        ]),
      ),
    }),
  } satisfies Asked<readonly Facet[]>,
};

export const FACETS_SAMPLES: Samples = {
  pairs: () => ({ facets: ['facets=languages', 'facets=countries'] }),
  same: [['facets=languages,countries', 'facets=countries,languages']],
  tried: [['counts', 'Did you mean "facets"?']],
};
