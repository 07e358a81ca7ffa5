/** Parameters of more than one operation. */
import { LANGUAGES, type Language } from '../../model/enumerations.ts';
import { canonicalFields, FIELD_PATHS, type FieldSelection } from '../../model/field-paths.ts';
import { suggestion } from '../../parameters/closest-word.ts';
import { wholeNumberWithin } from '../../parameters/number-kinds.ts';
import { ANY_TEXT, many, one, word } from '../../parameters/parameter.ts';
import { quote } from '../../shown-text.ts';

export const LANG = one(
  {
    name: 'lang',
    description:
      'Language of localized content. A store that does not have it answers in French or, without French, in its default language. Without `lang` every store answers in its default language. `localization.current` says which language was used.',
    example: 'en',
    usualNames: ['language', 'locale', 'hl'],
  },
  word(LANGUAGES),
);

export const FIELDS = many(
  {
    name: 'fields',
    description:
      'Fields to include, as dotted paths; a path through an array applies to each element. The answer has exactly these fields, in their usual order; without the parameter it has all fields. A field that a store does not have, such as `distance` without a position, is absent.',
    example: 'id,profile.name,geo.location.point',
    usualNames: ['select', 'include'],
  },
  word(FIELD_PATHS, (text, refuse) =>
    refuse(
      'unknown_field',
      () => `A store has no field ${quote(text)}.${suggestion(text, FIELD_PATHS)}`,
    ),
  ),
);

/** Of a single store; lists refuse it by name. */
export const RENTAL_POINT_SLUG = one(
  {
    name: 'rentalPointSlug',
    description:
      'Slug of a rental point of the store: `geo.location` is then this rental point instead of the main location. For a single store only. The main location is not a rental point.',
    example: 'gare-du-nord',
  },
  ANY_TEXT,
);

/** What is skipped where nothing is said of it. */
export const STANDARD_SKIP = 0;

/** @param what is skipped, for the description */
export function skipParameter(what: string) {
  const description = `Number of ${what} to skip; 0 begins with the first. It does not change \`total\`.`;
  const usualNames = ['offset', 'page'];
  const whole = wholeNumberWithin({ least: 0, standard: STANDARD_SKIP });
  return one({ name: 'skip', description, example: '100', usualNames }, whole);
}

/** What is returned at the most where nothing is said of it. */
export const STANDARD_LIMIT = 100;

export function limitParameter(description: string, most: number, example: string) {
  const usualNames = ['per_page', 'perpage', 'page_size', 'pagesize', 'size', 'count'];
  const whole = wholeNumberWithin({ least: 0, most, standard: STANDARD_LIMIT });
  return one({ name: 'limit', description, example, usualNames }, whole);
}

/** The part of a canonical text that says what is shown of a store, and in which language. */
export function canonicalContent(fields: FieldSelection | null, language: Language | null): string {
  return `fields=${fields ? canonicalFields(fields) : '*'}&lang=${language ?? 'default'}`;
}
