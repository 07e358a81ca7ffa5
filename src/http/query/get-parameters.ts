/** The query of `GET /v2/external/stores/{id}`. */
import { selectFields } from '../../model/field-paths.ts';
import { ANY_TEXT, one } from '../../parameters/parameter.ts';
import { ParameterSet } from '../../parameters/parameter-set.ts';
import type { GetQuery, ParsedQuery } from '../../query/queries.ts';
import { canonicalContent, FIELDS, LANG } from './shared-parameters.ts';

const RENTAL_POINT_SLUG = one(
  {
    name: 'rentalPointSlug',
    description:
      'Slug of a rental point of the store: `geo.location` is then this rental point instead of the main location. For a single store only. The main location is not a rental point.',
    example: 'gare-du-nord',
  },
  ANY_TEXT,
);

export const GET_PARAMETERS = new ParameterSet({
  parameters: [FIELDS, LANG, RENTAL_POINT_SLUG],
  decide(asked): ParsedQuery<GetQuery> {
    const fields = asked.fields ? selectFields(asked.fields) : null;
    const language = asked.lang ?? null;
    const { rentalPointSlug = null } = asked;
    const point = rentalPointSlug === null ? '' : encodeURIComponent(rentalPointSlug);
    const canonical = `rentalPointSlug=${point}&${canonicalContent(fields, language)}`;
    return { query: { fields, language, rentalPointSlug }, canonical };
  },
});
