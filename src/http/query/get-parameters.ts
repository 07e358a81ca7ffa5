/** The query of `GET /v2/external/stores/{id}`. */
import { selectFields } from '../../model/field-paths.ts';
import type { GetQuery } from '../../query/queries.ts';
import { LIST_PARAMETERS } from './list-parameters.ts';
import { ParameterReader, ParameterSet } from './parameter-reader.ts';
import { FIELDS, LANG, RENTAL_POINT_SLUG } from './shared-parameters.ts';

export const GET_PARAMETERS = new ParameterSet([FIELDS, LANG, RENTAL_POINT_SLUG], {
  parameters: LIST_PARAMETERS.parameters,
  detail: 'Only lists take it, not a single store.',
});

/**
 * What the query for one store asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export function parseGetQuery(query: string): GetQuery {
  const reader = new ParameterReader(query, GET_PARAMETERS);
  const parsed: GetQuery = {
    fields: reader.has(FIELDS) ? selectFields(reader.many(FIELDS)) : null,
    language: reader.one(LANG) ?? null,
    rentalPointSlug: reader.one(RENTAL_POINT_SLUG) ?? null,
  };
  reader.faults.throwIfAny();
  return parsed;
}
