/**
 * What parameters are called elsewhere, in lower case, with what they are called here. Letters alone
 * would lead astray: `lng` is closer to `lang` than to `position.longitude`.
 */
const USUAL_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'position.latitude': ['lat', 'position.lat'],
    'position.longitude': ['lng', 'lon', 'long', 'position.lng', 'position.lon'],
    'position.radius': ['distance', 'within'],
    lang: ['language', 'locale', 'hl'],
    skip: ['offset', 'page'],
    after: ['cursor', 'page_token', 'pagetoken'],
    limit: ['per_page', 'perpage', 'page_size', 'pagesize', 'size', 'count'],
    sort: ['order', 'order_by', 'orderby', 'sort_by', 'sortby'],
    fields: ['select', 'include'],
    'id.in': ['ids'],
    'verticale.in': ['category', 'categories', 'type'],
  }).flatMap(([name, others]) => others.map((other): [string, string] => [other, name])),
);

/** Usual names for a text search, which the service does not have. */
const TEXT_SEARCH: ReadonlySet<string> = new Set(['q', 'query', 'search', 'text']);

/**
 * What the caller of a parameter by another usual name is told beside that there is no such parameter;
 * null where `name` is no usual one.
 * @param names those that the operation takes
 */
export function usualNameHint(name: string, names: readonly string[]): string | null {
  const written = name.toLowerCase();
  if (TEXT_SEARCH.has(written)) return ' There is no search by words.';
  const here = USUAL_NAMES.get(written);
  if (here === undefined) return null;
  return names.includes(here) ? ` Did you mean "${here}"?` : '';
}
