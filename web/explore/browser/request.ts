/** The requests that a state means: their paths, and how they look in a shell. */
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

/** Path and query of a page of the list. */
export function listPath(state: ExploreState, { skip, isShown }: PageOfList): string {
  const { position, verticales, verticaleFilter, lang, sort } = state;
  const query: [string, string][] = [];
  if (position) {
    query.push(['position.latitude', String(position.latitude)]);
    query.push(['position.longitude', String(position.longitude)]);
    query.push(['position.radius', String(position.radius)]);
  }
  if (verticales.length > 0) query.push([`verticale.${verticaleFilter}`, verticales.join(',')]);
  if (lang) query.push(['lang', lang]);
  if (sort) query.push(['sort', sort]);
  query.push(['fields', fieldsOf(state, isShown).join(',')]);
  if (skip > 0) query.push(['skip', String(skip)]);
  query.push(['limit', String(PAGE_SIZE)]);
  return `${LIST_PATH}?${writeQuery(query)}`;
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

/** Path and query of one store with all its fields, at the rental point that was found. */
export function storePath(
  { lang }: ExploreState,
  id: string,
  rentalPointSlug: string | null,
): string {
  const query: [string, string][] = [];
  if (lang) query.push(['lang', lang]);
  if (rentalPointSlug) query.push(['rentalPointSlug', rentalPointSlug]);
  const text = query.length > 0 ? `?${writeQuery(query)}` : '';
  return `${LIST_PATH}/${encodeURIComponent(id)}${text}`;
}

/** A line for a POSIX shell. The token stays out of it. @param url absolute */
export function curlLine(url: string, needsToken: boolean): string {
  const header = needsToken ? `-H "x-access-token: $TOKEN" ` : '';
  return `curl ${header}'${url.replaceAll("'", "'\\''")}'`;
}

/** Commas stay readable; the service takes them either way. */
function writeQuery(query: readonly (readonly [string, string])[]): string {
  return query
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');
}
