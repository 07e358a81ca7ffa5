/** The query of `GET /v2/external/stores/{id}`. */
import { selectFields } from '../../model/field-paths.ts';
import type { GetQuery } from '../../query/queries.ts';
import { LIST_PARAMETERS } from './list-parameters.ts';
import { ParameterSet } from './parameter-set.ts';
import { QueryReader } from './query-reader.ts';
import { FIELDS, LANG, RENTAL_POINT_SLUG } from './shared-parameters.ts';

export const GET_PARAMETERS = new ParameterSet([FIELDS, LANG, RENTAL_POINT_SLUG], {
  parameters: LIST_PARAMETERS.parameters,
  detail: 'Only lists take it, not a single store.',
});

export const GET_QUERY = new QueryReader(
  GET_PARAMETERS,
  GET_PARAMETERS.schema().transform(
    ({ fields, lang, rentalPointSlug }): GetQuery => ({
      fields: fields ? selectFields(fields) : null,
      language: lang ?? null,
      rentalPointSlug: rentalPointSlug ?? null,
    }),
  ),
);

/**
 * What the query for one store asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export const parseGetQuery = (query: string): GetQuery => GET_QUERY.parse(query);
