/** What queries ask for, without their canonical texts. */

import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import type { GetQuery, ListQuery } from '../../src/query/queries.ts';

/**
 * What the query of a list asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export const parseListQuery = (query: string): ListQuery => readQuery(LIST_QUERY, query).query;

/**
 * What the query for one store asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export const parseGetQuery = (query: string): GetQuery => readQuery(STORE_QUERY, query).query;
