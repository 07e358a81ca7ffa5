/** The query of `GET /v2/external/stores/{id}`. */
import { selectFields } from '../../model/field-paths.ts';
import { parameterSet } from '../../parameters/parameter-set.ts';
import type { GetQuery, ParsedQuery } from '../../query/queries.ts';
import { LIST_PARAMETERS } from './list-parameters.ts';
import { canonicalContent, FIELDS, LANG, RENTAL_POINT_SLUG } from './shared-parameters.ts';

export const GET_PARAMETERS = parameterSet({
  parameters: [FIELDS, LANG, RENTAL_POINT_SLUG],
  elsewhere: {
    parameters: LIST_PARAMETERS.parameters,
    detail: 'Only lists take it, not a single store.',
  },
  decide(asked): ParsedQuery<GetQuery> {
    const fields = asked.fields ? selectFields(asked.fields) : null;
    const language = asked.lang ?? null;
    const { rentalPointSlug = null } = asked;
    const point = rentalPointSlug === null ? '' : encodeURIComponent(rentalPointSlug);
    const canonical = `rentalPointSlug=${point}&${canonicalContent(fields, language)}`;
    return { query: { fields, language, rentalPointSlug }, canonical };
  },
});
