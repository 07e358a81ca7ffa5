/** `language.in`, `country.in` and `facets`. */
import fc from 'fast-check';
import type { Facet } from '../../../client/src/query.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { FACETS, LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import { foldedWords } from '../oracle/folded.ts';
import { remembering } from '../remembering.ts';
import { language } from '../stores/random-values.ts';
import { type Asked, anyOf, encoded, type Samples } from './condition-case.ts';

const verticalesOf = ({ profile }: SourceStore): readonly string[] => profile.verticales;

const languagesOf = ({ localization }: SourceStore): readonly string[] => localization.available;

const sameCountry = (name: string) => foldedWords(name).join(' ');

function countriesOf({ geo }: SourceStore): readonly string[] {
  const { country } = geo.main.canonicalComponents;
  return geo.displayAddress && sameCountry(country) !== '' ? [country] : [];
}

/**
 * @param wordsOf the words that a store has
 * @param draw a word, of the stores or not
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

/** Countries of the stores as they may be written: with other letters, and other signs between words. */
function writtenCountries(stores: readonly SourceStore[]): string[] {
  // No list can have a word with a comma.
  const names = stores.flatMap(countriesOf).map((name) => name.toWellFormed().replaceAll(',', ';'));
  return names.flatMap((name) => [
    ...[name, name.toUpperCase()],
    ...[' ', '-', '\u2011', "'", '’', 'ʼ', '\u00a0'].map((sign) => foldedWords(name).join(sign)),
    Array.from(name).join('\u00ad'),
  ]);
}

export const TERMS_ASKED = {
  languageIn: anyWord('language.in', languagesOf, () => language),
  countryIn: anyWord(
    'country.in',
    countriesOf,
    (stores) => {
      return fc.constantFrom(...writtenCountries(stores), 'Atlantis', 'ÎTALIE');
    },
    sameCountry,
  ),
};

export const TERMS_SAMPLES: Samples = {
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
    ].map((name) => ['country.in=cote d ivoire', `country.in=${encoded(name)}`]),
  ],
  explained: ['-', 'ʼ', '🚲'].map((name) => [
    `country.in=Italy,${encoded(name)}`,
    'malformed_value country.in',
    `Expected the English name of a country, such as Italy, got "${name}".`,
  ]),
  tried: [
    ['Language', 'Did you mean "language.in" or "lang"?'],
    ['country', 'Did you mean "country.in"? It takes English names, such as Italy.'],
    ['countryCode', 'Did you mean "country.in"? It takes English names, such as Italy.'],
  ],
};

/**
 * What each facet counts, and what it leaves aside. The client writes the words of `Facet` by hand: they
 * are the words of `FACETS`, or this does not compile.
 */
const COUNTED: Readonly<Record<(typeof FACETS)[number], Counted>> = {
  verticales: {
    wordsOf: () => verticalesOf,
    leftAside: ['verticaleIn', 'verticaleEquals'],
    first: VERTICALES,
  },
  languages: { wordsOf: () => languagesOf, leftAside: ['languageIn'], first: LANGUAGES },
  countries: { wordsOf: spelledCountriesOf, leftAside: ['countryIn'], first: [] },
};

interface Counted {
  /** @param stores all of the release */
  wordsOf(stores: readonly SourceStore[]): (store: SourceStore) => readonly string[];
  readonly leftAside: readonly string[];
  /** The words that come first; the others follow by their letters. */
  readonly first: readonly string[];
}

/** Countries of a store as most stores spell them, of equally many spellings as the first. */
function spelledCountriesOf(stores: readonly SourceStore[]) {
  const written = stores.flatMap(countriesOf).sort();
  const times = remembering((name: string) => written.filter((each) => each === name).length);
  const spellings = new Map<string, string>();
  for (const name of written) {
    const known = spellings.get(sameCountry(name));
    if (!known || times(name) > times(known)) spellings.set(sameCountry(name), name);
  }
  return (store: SourceStore) =>
    countriesOf(store).map((name) => spellings.get(sameCountry(name)) as string);
}

function countsOf(
  facet: Facet,
  matching: readonly SourceStore[],
  stores: readonly SourceStore[],
): object {
  const { wordsOf, first } = COUNTED[facet];
  const found = matching.map(wordsOf(stores));
  const inOrder = new Set([...first, ...found.flat().sort()]);
  const counts = [...inOrder].map((word) => {
    return [word, found.filter((each) => each.includes(word)).length] as const;
  });
  return Object.fromEntries(counts.filter(([, number]) => number > 0));
}

export const FACETS_ASKED = {
  facets: {
    draw: () => fc.uniqueArray(fc.constantFrom(...FACETS), { minLength: 1 }),
    write: (facets) => ({ facets }),
    member: (asked, matching, stores) => ({
      facets: Object.fromEntries(
        FACETS.filter((facet) => asked.includes(facet)).map((facet) => [
          facet,
          countsOf(facet, matching(COUNTED[facet].leftAside), stores),
        ]),
      ),
    }),
  } satisfies Asked<readonly Facet[]>,
};

export const FACETS_SAMPLES: Samples = {
  same: [['facets=languages,countries', 'facets=countries,languages']],
  tried: [['counts', 'Did you mean "facets"?']],
};
