/** Parameters of more than one operation. */

import * as z from 'zod';
import { LANGUAGES } from '../../model/enumerations.ts';
import { canonicalFields, FIELD_PATHS } from '../../model/field-paths.ts';
import { showInstant } from '../../query/conditions/open-at.ts';
import { arrayOf, parameter, TEXT, wholeNumberFrom, word } from '../../query/parameters.ts';
import type { ContentQuery } from '../../query/queries.ts';

export const LANG = parameter(word(LANGUAGES), {
  description:
    'Language of localized content. A store that does not have it answers in French or, without French, in its default language. Without `lang` every store answers in its default language. `localization.current` says which language was used.',
  example: 'en',
  usualNames: ['language', 'locale', 'hl'],
});

export const FIELDS = parameter(
  arrayOf(z.enum(FIELD_PATHS, 'Expected the path of a field of a store')),
  {
    description:
      'Fields to include, as dotted paths; a path through an array applies to each element. The answer has exactly these fields, in their usual order; without the parameter it has all fields. A field that a store does not have, such as `distance` without a position or `opening` without `at`, is absent.',
    example: 'id,profile.name,geo.location.point',
    usualNames: ['select', 'include'],
  },
);

/** Parameter of a single store. Lists refuse it, and say where it belongs. */
export const RENTAL_POINT_SLUG = parameter(TEXT, {
  description:
    'Slug of a rental point of the store: `geo.location` is then this rental point instead of the main location. For a single store only. The main location is not a rental point.',
  example: 'gare-du-nord',
});

export const DEFAULT_SKIP = 0;

/** Builds `skip`. @param what is skipped, for the description */
export function skipParameter(what: string) {
  const description = `Number of ${what} to skip; 0 begins with the first. It does not change \`total\`.`;
  const usualNames = ['offset', 'page'];
  return parameter(wholeNumberFrom(0), {
    description,
    example: '100',
    usualNames,
    default: DEFAULT_SKIP,
  });
}

export const DEFAULT_LIMIT = 100;

export function limitParameter(description: string, max: number, example: string) {
  const usualNames = ['per_page', 'perpage', 'page_size', 'pagesize', 'size', 'count'];
  return parameter(wholeNumberFrom(0, max), {
    description,
    example,
    usualNames,
    default: DEFAULT_LIMIT,
  });
}

/** Returns the part of a canonical text that says what is shown of a store: fields, language, `at`. */
export function canonicalContent({ fields, language, at }: ContentQuery): string {
  const content = `fields=${fields ? canonicalFields(fields) : '*'}&lang=${language ?? 'default'}`;
  return at === null ? content : `${content}&at=${showInstant(at)}`;
}
