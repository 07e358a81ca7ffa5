/** The requests that a state means: their paths, and how they look in a shell. */
import type { FieldPath } from '../../../client/src/fields.ts';
import type { GetQuery, ListQuery } from '../../../client/src/query.ts';
import { searchOf } from '../../../client/src/search.ts';
import type { ExploreState } from './state.ts';

/** Where the service lists stores; one of them is below it. */
export const LIST_PATH = '/v2/external/stores';

/** What each row of the list and each mark on the map is made of. */
const ROW_FIELDS = [
  'id',
  'slug',
  'rentalPointSlug',
  'profile.name',
  'geo.location.point',
  'geo.location.components.city',
];

/** What opening hours are worked out from. */
const OPENING_FIELD = 'temporal';

/** The most that the service gives at once. */
export const PAGE_SIZE = 100;

export interface PageOfList {
  readonly skip: number;
  /** Whether the fields that the user chose are asked for, too: the first page alone has them. */
  readonly isShown: boolean;
}

/** The query of a page of the list. */
export function listQuery(
  state: ExploreState,
  { skip, isShown }: PageOfList,
): ListQuery<readonly FieldPath[]> {
  const { position, verticales, verticaleFilter, lang, sort } = state;
  return {
    position: position ?? undefined,
    verticale: verticales.length > 0 ? { [verticaleFilter]: verticales } : undefined,
    lang: lang || undefined,
    sort: sort ? [sort] : undefined,
    fields: fieldsOf(state, isShown) as FieldPath[],
    skip: skip || undefined,
    limit: PAGE_SIZE,
  } as ListQuery<readonly FieldPath[]>;
}

/** Path and query of a page of the list. */
export function listPath(state: ExploreState, page: PageOfList): string {
  return `${LIST_PATH}?${searchOf(listQuery(state, page))}`;
}

/** The fields that a page of the list asks for, each once and none within another. */
export function fieldsOf(state: ExploreState, isShown: boolean): string[] {
  const needed = [
    ...ROW_FIELDS,
    ...(state.position ? ['distance'] : []),
    ...(state.opening === 'ignore' ? [] : [OPENING_FIELD]),
  ];
  const all = [...new Set([...needed, ...(isShown ? state.fields : [])])];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}.`)));
}

/** Fields of every list request, whatever the user chooses. */
export function isNeeded(path: string): boolean {
  return ROW_FIELDS.includes(path);
}

/** The query of one store with all its fields, at the rental point that was found. */
export function storeQuery(
  { lang }: ExploreState,
  rentalPointSlug: string | null,
): GetQuery<undefined> {
  return { lang: lang || undefined, rentalPointSlug: rentalPointSlug ?? undefined };
}

/** A line for a POSIX shell. The token stays out of it. @param url absolute */
export function curlLine(url: string, needsToken: boolean): string {
  const header = needsToken ? `-H "x-access-token: $TOKEN" ` : '';
  return `curl ${header}'${url.replaceAll("'", "'\\''")}'`;
}
