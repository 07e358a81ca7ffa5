/** `language.in` and `country.in`: stores that have any of some words. */
import type { LoadedRelease } from '../../load/loaded-release.ts';
import { LANGUAGES } from '../../model/enumerations.ts';
import { foldText } from '../../model/fold-text.ts';
import type { TermField } from '../../model/term-fields.ts';
import { ANY_TEXT, many, type Parameter, word } from '../../parameters/parameter.ts';
import { termsPart } from '../../snapshot/manifest.ts';
import type { Declaration } from './condition.ts';
import { keptByMarks } from './kept-stores.ts';

/**
 * A parameter that keeps the stores with any of the words that it is given.
 * @param fold makes words equal that mean the same
 */
function anyOf<const Each extends Parameter<string, string, true>>(
  field: TermField,
  parameter: Each,
  fold: (word: string) => string = String,
): Declaration<readonly [Each]> {
  const part = termsPart(field);
  return {
    parameters: [parameter],
    decide(asked) {
      const words = (asked as Readonly<Record<string, readonly string[] | undefined>>)[
        parameter.name
      ];
      if (words === undefined) return null;
      const wanted = new Set(words.map(fold));
      const text = [...wanted].sort().map(encodeURIComponent).join();
      return {
        kind: 'stores',
        text: `${field}=${text}`,
        parts: [part],
        counted: { facet: field, rest: null },
        open: (release) =>
          keptByMarks(() => markStores(release, part, (each) => wanted.has(fold(each)))),
      };
    },
  };
}

/** 1 for each store that has a word for which `isWanted`, 0 for the others. */
function markStores(release: LoadedRelease, part: string, isWanted: (word: string) => boolean) {
  const table = release.terms(part);
  const marks = new Uint8Array(release.storeCount);
  for (let number = 0; number < table.count; number++) {
    if (!isWanted(table.word(number))) continue;
    const stores = table.stores(number);
    for (let index = 0; index < stores.length; index++) marks[stores[index] as number] = 1;
  }
  return marks;
}

const LANGUAGE_IN = anyOf(
  'languages',
  many(
    {
      name: 'language.in',
      description:
        'Keeps the stores with at least one of these languages in `localization.available`.',
      example: 'de,en',
      usualNames: ['language', 'languages'],
    },
    word(LANGUAGES),
  ),
);

const COUNTRY_IN = anyOf(
  'countries',
  many(
    {
      name: 'country.in',
      description:
        'Keeps the stores that show a main location in one of these countries, by their English names (those in `geo.location.canonicalComponents.country`). Case and accents do not matter. A country without stores is no fault.',
      example: 'France,Italy',
      usualNames: ['country', 'countries'],
    },
    ANY_TEXT,
  ),
  foldText,
);

/** In the order of the document. */
export const TERMS = [LANGUAGE_IN, COUNTRY_IN] as const;
