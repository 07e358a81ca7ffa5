/** `language.in` and `country.in`: stores that have any of some words. */
import type * as z from 'zod';
import { type Facet, LANGUAGES } from '../../model/enumerations.ts';
import { foldWords } from '../../model/fold-text.ts';
import { setsPart } from '../../snapshot/set-table.ts';
import { arrayOf, type Declaration, parameter, TEXT, unread, word } from '../parameters.ts';

export const LANGUAGE_IN = anyOf(
  'languages',
  'language.in',
  parameter(arrayOf(word(LANGUAGES)), {
    description:
      'Keeps the stores with at least one of these languages in `localization.available`.',
    example: 'de,en',
    usualNames: ['language', 'languages'],
  }),
);

/** A country as it is compared. */
const COUNTRY = TEXT.transform((text, context) => {
  const words = foldWords(text);
  if (words !== '') return words;
  const expected = 'Expected the English name of a country, such as Italy';
  return unread(context, 'malformed_value', expected, text);
  // The document could not tell what a transformation returns.
}).meta({ type: 'string' });

export const COUNTRY_IN = anyOf(
  'countries',
  'country.in',
  parameter(arrayOf(COUNTRY), {
    description:
      'Keeps the stores that show a main location in one of these countries, by their English names (those in `geo.location.canonicalComponents.country`). Case and accents do not matter, nor which apostrophe, hyphen or blank separates two words. A comma separates two countries: write a blank for one within a name. A country without stores is no fault.',
    example: 'France,Italy',
    usualNames: ['country', 'countries', 'countrycode', 'country_code', 'country.code'],
    usage: 'It takes English names, such as Italy.',
  }),
  foldWords,
);

/**
 * Declares the condition that keeps the stores with any of the words that were sent.
 * @param name of the parameter
 * @param parameter its values are folded
 * @param fold makes words of stores equal that mean the same
 */
function anyOf<Name extends string, Parameter extends z.ZodType<readonly string[] | undefined>>(
  facet: Facet,
  name: Name,
  parameter: Parameter,
  fold: (word: string) => string = String,
): Declaration<Record<Name, Parameter>> {
  const part = setsPart(facet);
  return {
    shape: { [name]: parameter } as Record<Name, Parameter>,
    toCondition({ [name]: words }) {
      const wanted = new Set(words);
      return {
        kind: 'stores',
        keeps: 'many',
        text: `${facet}=${[...wanted].sort().map(encodeURIComponent).join()}`,
        parts: [part],
        facet,
        open: (release) => ({
          test: release.table(part).test((words) => words.some((each) => wanted.has(fold(each)))),
        }),
      };
    },
  };
}
