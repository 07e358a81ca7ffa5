/** `Link: <…>; rel="next"` (RFC 8288), which leads to the next page of a list. */

import type { NextPage } from '../query/directory.ts';
import type { ListQuery } from '../query/queries.ts';

/** Parameters that the link puts in the place of those of the request; null: it goes. */
export type LinkChanges = Readonly<Record<string, string | number | null>>;

/**
 * The header, for an answer that more follow after. Its target is the path with the query of the
 * request, relative, so that it holds under whatever host the caller knows the service by.
 * @param query understood already: every name in it can be decoded
 */
export function nextLink(path: string, query: string, changes: LinkChanges): { link: string } {
  const kept = query.split('&').filter((pair) => pair !== '' && !(nameOf(pair) in changes));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  return { link: `<${path}?${[...kept, ...added].join('&')}>; rel="next"` };
}

/** The header for a page of stores; none for the last one. @param query text of the request */
export function pageLink(
  path: string,
  query: string,
  next: NextPage | null,
  { conditions }: ListQuery,
): { link?: string } {
  if (!next) return {};
  // `after` goes with the default order alone.
  const changes = 'after' in next ? { skip: null, sort: null, ...next } : next;
  return nextLink(
    path,
    query,
    Object.assign({ ...changes }, ...conditions.map(({ linked }) => linked)),
  );
}

/** The name of a parameter, however it is written: `sort`, `sort[]` and `sort%5B%5D` are one. */
function nameOf(pair: string): string {
  const equals = pair.indexOf('=');
  const name = decodeURIComponent(equals < 0 ? pair : pair.slice(0, equals));
  return name.endsWith('[]') ? name.slice(0, -2) : name;
}
