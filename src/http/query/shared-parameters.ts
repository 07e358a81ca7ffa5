/**
 * The parameters that a list of stores and a single store both know: those that both take, and the
 * one that a single store takes and lists refuse by name. Changes take none of them.
 */
import { z } from 'zod';
import { LANGUAGES } from '../../model/enumerations.ts';
import { FIELD_PATHS } from '../../model/field-paths.ts';
import { quote } from '../shown-text.ts';
import { suggestion } from './closest-word.ts';
import { arrayParameter, fault, textParameter, wordParameter } from './parameter.ts';

export const LANG = wordParameter(
  {
    name: 'lang',
    description:
      'Language of localized content. A store that lacks it answers in French, else in its default language. Without it, every store answers in its own default language. `localization.current` says which it was.',
    example: 'en',
  },
  LANGUAGES,
);

export const FIELDS = arrayParameter(
  {
    name: 'fields',
    description:
      'Fields to include, as dotted paths; a path through an array picks from each element. The answer has exactly these fields, in their usual order; without the parameter, all of them. A field that a store lacks, such as `distance` without a position, is absent.',
    example: 'id,profile.name,geo.location.point',
  },
  z.enum(FIELD_PATHS, fault('unknown_field')),
  (_, text) => `A store has no field ${quote(text)}.${suggestion(text, FIELD_PATHS)}`,
);

export const RENTAL_POINT_SLUG = textParameter({
  name: 'rentalPointSlug',
  description:
    'Slug of the rental point that the answer is about, instead of the main location: `geo.location` is this one then. For a single store only. The main location itself is no rental point.',
  example: 'gare-du-nord',
});
