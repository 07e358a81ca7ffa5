/**
 * What the queries for a list of stores, for one store and for changes ask for, each with its
 * canonical text.
 *
 * The canonical text is equal for equal queries: defaults are written out, while the order of
 * parameters, the way arrays are written and fields that others contain leave no trace.
 */
import { canonicalFields, type FieldSelection } from '../../model/field-paths.ts';
import type { ChangesQuery, GetQuery, ListQuery } from '../../query/queries.ts';
import { CHANGES_QUERY } from './changes-parameters.ts';
import { GET_QUERY } from './get-parameters.ts';
import { LIST_QUERY } from './list-parameters.ts';

/** A query and its canonical text. */
export interface Understood<Query> {
  readonly query: Query;
  readonly canonical: string;
}

/** Understands the query of a list. */
export const UNDERSTOOD_LIST = LIST_QUERY.to(
  (query): Understood<ListQuery> => ({ query, canonical: canonicalListQuery(query) }),
);

/** The same for the query for changes. */
export const UNDERSTOOD_CHANGES = CHANGES_QUERY.to(
  (query): Understood<ChangesQuery> => ({ query, canonical: canonicalChangesQuery(query) }),
);

/** The same for the query of one store. */
export const UNDERSTOOD_GET = GET_QUERY.to(
  (query): Understood<GetQuery> => ({ query, canonical: canonicalGetQuery(query) }),
);

/** The canonical text of the query for a list. */
export function canonicalListQuery(query: ListQuery): string {
  const { skip, limit, after, ids, fields, verticales, position, language } = query;
  const { allOf, anyOf, noneOf } = verticales;
  const place = position
    ? `${position.latitude},${position.longitude},${position.radius}`
    : 'anywhere';
  const rest = `${after === null ? '' : `&after=${after}`}${ids === null ? '' : `&ids=${ids}`}`;
  return `skip=${skip}&limit=${limit}&sort=${canonicalSort(query)}&verticales=${allOf},${anyOf},${noneOf}&position=${place}&${content(fields, language)}${rest}`;
}

/**
 * The canonical text of the query for changes.
 * @param query as it was understood: without `until` it depends on what is live, too
 */
function canonicalChangesQuery(query: ChangesQuery): string {
  const { since, until, skip, after, limit } = query;
  return `since=${since}&until=${until ?? 'live'}&skip=${skip}&after=${after ?? ''}&limit=${limit}`;
}

/** The canonical text of the query for one store. */
export function canonicalGetQuery({ fields, language, rentalPointSlug }: GetQuery): string {
  const point = rentalPointSlug === null ? '' : encodeURIComponent(rentalPointSlug);
  return `rentalPointSlug=${point}&${content(fields, language)}`;
}

function canonicalSort({ sort }: ListQuery): string {
  if (sort.length === 0) return 'id+';
  return sort.map(({ column, descending }) => column + (descending ? '-' : '+')).join(',');
}

function content(fields: FieldSelection | null, language: string | null): string {
  return `fields=${fields ? canonicalFields(fields) : '*'}&lang=${language ?? 'default'}`;
}
