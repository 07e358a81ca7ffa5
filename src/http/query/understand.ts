/**
 * Understands the query of a URL: what it asks for, and its canonical text.
 *
 * The canonical text is equal for equal queries: defaults are written out, while the order of
 * parameters, the way arrays are written and fields that others contain leave no trace.
 */
import { BoundedMap } from '../../cache/bounded-map.ts';
import { canonicalFields, type FieldSelection } from '../../model/field-paths.ts';
import type { ChangesQuery, GetQuery, ListQuery } from '../../query/queries.ts';
import { parseChangesQuery } from './changes-parameters.ts';
import { parseGetQuery } from './get-parameters.ts';
import { parseListQuery } from './list-parameters.ts';

/** Texts remembered per operation: partners ask the same few queries again and again. */
const REMEMBERED_TEXTS = 500;

/** Longer texts are not remembered, so that few entries never take much memory. */
const LONGEST_REMEMBERED = 500;

/** A query and its canonical text. */
export interface Understood<Query> {
  readonly query: Query;
  readonly canonical: string;
}

/**
 * What the query of a list asks for.
 * @param text what follows `?`, as it was sent
 * @throws ProblemError invalid_parameters
 */
export const understandList = remembered((text): Understood<ListQuery> => {
  const query = parseListQuery(text);
  return { query, canonical: canonicalListQuery(query) };
});

/** The same for the query for changes. */
export const understandChanges = remembered((text): Understood<ChangesQuery> => {
  const query = parseChangesQuery(text);
  return { query, canonical: canonicalChangesQuery(query) };
});

/** The same for the query of one store. */
export const understandGet = remembered((text): Understood<GetQuery> => {
  const query = parseGetQuery(text);
  return { query, canonical: canonicalGetQuery(query) };
});

export function canonicalListQuery(query: ListQuery): string {
  const { skip, limit, after, ids, fields, verticales, position, language } = query;
  const { allOf, anyOf, noneOf } = verticales;
  const place = position
    ? `${position.latitude},${position.longitude},${position.radius}`
    : 'anywhere';
  const rest = `${after === null ? '' : `&after=${after}`}${ids === null ? '' : `&ids=${ids}`}`;
  return `skip=${skip}&limit=${limit}&sort=${canonicalSort(query)}&verticales=${allOf},${anyOf},${noneOf}&position=${place}&${content(fields, language)}${rest}`;
}

/** @param query as it was understood: without `until` it depends on what is live, too */
export function canonicalChangesQuery(query: ChangesQuery): string {
  const { since, until, skip, after, limit } = query;
  return `since=${since}&until=${until ?? 'live'}&skip=${skip}&after=${after ?? ''}&limit=${limit}`;
}

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

/** `compute`, remembering recent results but no errors. Nobody may change a result. */
function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new BoundedMap<string, Result>(REMEMBERED_TEXTS);
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (text.length <= LONGEST_REMEMBERED) results.set(text, result);
    return result;
  };
}
