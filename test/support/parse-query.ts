/** What queries ask for, without their canonical texts. */
import { GET_PARAMETERS } from '../../src/http/query/get-parameters.ts';
import { LIST_PARAMETERS } from '../../src/http/query/list-parameters.ts';
import type { GetQuery, ListQuery } from '../../src/query/queries.ts';

/**
 * What the query of a list asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export const parseListQuery = (query: string): ListQuery => LIST_PARAMETERS.parse(query).query;

/**
 * What the query for one store asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export const parseGetQuery = (query: string): GetQuery => GET_PARAMETERS.parse(query).query;
