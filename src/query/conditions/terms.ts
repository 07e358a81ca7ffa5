/** `language.in` and `country.in`: stores that have any of some words. */
import type * as z from 'zod';
import { LANGUAGES } from '../../model/enumerations.ts';
import type { Facet } from '../../model/facets.ts';
import { foldText } from '../../model/fold-text.ts';
import { setsPart } from '../../snapshot/set-table.ts';
import { arrayOf, TEXT, word } from '../values.ts';
import type { Condition, Declaration } from './condition.ts';

const LANGUAGE_SHAPE = {
  'language.in': arrayOf(word(LANGUAGES))
    .optional()
    .meta({
      description:
        'Keeps the stores with at least one of these languages in `localization.available`.',
      example: 'de,en',
      usualNames: ['language', 'languages'],
    }),
};

const COUNTRY_SHAPE = {
  'country.in': arrayOf(TEXT)
    .optional()
    .meta({
      description:
        'Keeps the stores that show a main location in one of these countries, by their English names (those in `geo.location.canonicalComponents.country`). Case and accents do not matter. A country without stores is no fault.',
      example: 'France,Italy',
      usualNames: ['country', 'countries'],
    }),
};

export const LANGUAGE_IN = anyOf('languages', LANGUAGE_SHAPE);
export const COUNTRY_IN = anyOf('countries', COUNTRY_SHAPE, foldText);

/**
 * Declares the condition that keeps the stores with any of the words that were sent.
 * @param shape one parameter
 * @param fold makes words equal that mean the same
 */
function anyOf<Shape extends z.ZodRawShape>(
  facet: Facet,
  shape: Shape,
  fold: (word: string) => string = String,
): Declaration<Shape> {
  const part = setsPart(facet);
  return {
    shape,
    toCondition(values): Condition | null {
      const [words] = Object.keys(shape).map((name) => (values as Words)[name]);
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

type Words = Readonly<Record<string, readonly string[] | undefined>>;
