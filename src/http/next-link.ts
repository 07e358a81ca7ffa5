/** `Link: <…>; rel="next"` (RFC 8288), which leads to the next page of a list. */

import type { StoredRecords } from '../load/loaded-release.ts';
import type { ListMatches } from '../query/match-stores.ts';
import { goesByAfter, type ListQuery } from '../query/queries.ts';
import { RecordReader } from '../snapshot/record-reader.ts';

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

/**
 * Returns the header for a page of stores; none for the last page, and none for a page without stores.
 * In the order of ids pages go by `after`, which no publication disturbs; in others by `skip`.
 * @param records of the page
 * @param text the query as it was sent
 */
export function pageLink(
  path: string,
  text: string,
  query: ListQuery,
  { hasMore }: ListMatches,
  { chunks, indexes }: StoredRecords,
): { link?: string } {
  const last = chunks.at(-1);
  if (!hasMore || last === undefined) return {};
  const linked = Object.assign({}, ...query.conditions.map((condition) => condition.linked));
  if (!goesByAfter(query)) {
    return nextLink(path, text, { skip: query.skip + chunks.length, ...linked });
  }
  const record = new RecordReader();
  record.moveTo(last, indexes.at(-1) as number);
  // `after` goes with the default order alone.
  return nextLink(path, text, { skip: null, sort: null, after: record.id(), ...linked });
}

/** The name of a parameter, however it is written: `sort`, `sort[]` and `sort%5B%5D` are one. */
function nameOf(pair: string): string {
  const equals = pair.indexOf('=');
  const name = decodeURIComponent(equals < 0 ? pair : pair.slice(0, equals));
  return name.endsWith('[]') ? name.slice(0, -2) : name;
}
