/** The parameters that both operations take. */
import { z } from 'zod';
import { LANGUAGES } from '../model/enumerations.ts';
import { FIELD_PATHS, isFieldPath } from '../model/field-paths.ts';
import { type Parameter, wordParameter } from './parameter.ts';
import { quote } from './parameter-faults.ts';

export const LANG = wordParameter(
  {
    name: 'lang',
    description:
      'Language of localized content. A store that lacks it answers in French, else in its default language. Without it, every store answers in its own default language.',
    example: 'en',
  },
  LANGUAGES,
);

export const FIELDS: Parameter<string> = {
  name: 'fields',
  array: true,
  description:
    'Fields to include, as dotted paths; a path through an array picks from each element. The answer has exactly these fields, in their usual order.',
  example: 'id,profile.name,geo.location.point',
  schema: z.enum(FIELD_PATHS),
  read: (text, faults) => {
    if (isFieldPath(text)) return { value: text };
    const suggestion = faults.suggestion(text, FIELD_PATHS);
    const detail = `A store has no field ${quote(text)}.${suggestion}`;
    return { fault: { code: 'unknown_field', detail } };
  },
};
