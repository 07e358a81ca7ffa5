/**
 * One text per query, equal for equal queries: defaults are written out, while the order of
 * parameters, the way arrays are written and fields that others contain leave no trace.
 */
import { canonicalFields, type FieldSelection } from '../model/field-paths.ts';
import type { GetQuery, ListQuery, SortKey } from '../query/list-query.ts';

const BY_ID: SortKey = { column: 'id', descending: false };
const BY_DISTANCE: SortKey = { column: 'distance', descending: false };

export function canonicalListQuery(query: ListQuery): string {
  const { skip, limit, fields, verticales, position, language } = query;
  const { allOf, anyOf, noneOf } = verticales;
  const place = position
    ? `${position.latitude},${position.longitude},${position.radius}`
    : 'anywhere';
  return `skip=${skip}&limit=${limit}&sort=${canonicalSort(query)}&verticales=${allOf},${anyOf},${noneOf}&position=${place}&${content(fields, language)}`;
}

export function canonicalGetQuery({ fields, language, rentalPointSlug }: GetQuery): string {
  const point = rentalPointSlug === null ? '' : encodeURIComponent(rentalPointSlug);
  return `rentalPointSlug=${point}&${content(fields, language)}`;
}

/** The keys that decide: nothing after an id does, and every order ends on it. */
function canonicalSort({ sort, position }: ListQuery): string {
  const asked = sort.length > 0 || !position ? sort : [BY_DISTANCE];
  const idAt = asked.findIndex(({ column }) => column === 'id');
  const deciding = idAt < 0 ? [...asked, BY_ID] : asked.slice(0, idAt + 1);
  return deciding.map(({ column, descending }) => column + (descending ? '-' : '+')).join(',');
}

function content(fields: FieldSelection | null, language: string | null): string {
  return `fields=${fields ? canonicalFields(fields) : '*'}&lang=${language ?? 'default'}`;
}
