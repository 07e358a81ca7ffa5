/** `language.in` and `country.in`: stores that have any of some words. */
import { LANGUAGES } from '../../model/enumerations.ts';
import type { Facet } from '../../model/facets.ts';
import { foldText } from '../../model/fold-text.ts';
import { ANY_TEXT, many, type Parameter, word } from '../../parameters/parameter.ts';
import { setsPart } from '../../snapshot/set-table.ts';
import type { Declaration } from './condition.ts';

/**
 * A parameter that keeps the stores with any of the words that it is given.
 * @param fold makes words equal that mean the same
 */
function anyOf<const Each extends Parameter<string, string, true>>(
  facet: Facet,
  parameter: Each,
  fold: (word: string) => string = String,
): Declaration<readonly [Each]> {
  const part = setsPart(facet);
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
        keeps: 'many',
        text: `${facet}=${text}`,
        parts: [part],
        counted: { facet, rest: null },
        open(release) {
          return { test: release.table(part).test([(each) => wanted.has(fold(each))]) };
        },
      };
    },
  };
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
