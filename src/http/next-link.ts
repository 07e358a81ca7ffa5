/** `Link: <…>; rel="next"` (RFC 8288), which leads to the next page of a list. */

import type { StoredRecords } from '../load/loaded-release.ts';
import { showInstant } from '../query/conditions/open-at.ts';
import type { FoundStores } from '../query/find-stores.ts';
import type { ListQuery } from '../query/queries.ts';
import { RecordReader } from '../snapshot/record.ts';
import type { Trace } from './trace.ts';

/**
 * Returns the header of an answer that has a next page. Its target is the path and query alone, so
 * it holds under whatever host the caller uses. What was sent is repeated as it was sent, but for
 * commas: readers of `Link` may take them for the end of a link.
 * @param trace of a query without faults: every name in it can be decoded
 * @param changes parameters that replace the ones of the request; null removes one
 */
export function nextLink(
  { path, query }: Trace,
  changes: Readonly<Record<string, string | number | null>>,
): { link: string } {
  const pairs = query.split('&').filter((pair) => pair !== '' && !(nameOf(pair) in changes));
  for (const [name, value] of Object.entries(changes)) {
    if (value !== null) pairs.push(`${name}=${value}`);
  }
  return { link: `<${path}?${pairs.join('&').replaceAll(',', '%2C')}>; rel="next"` };
}

/**
 * Returns the header of a page of stores; none for the last page, and none for a page without
 * stores. Pages in the order of ids go by `after`, which no publication disturbs, others by `skip`.
 * @param records of the page
 */
export function pageLink(
  trace: Trace,
  query: ListQuery,
  { hasMore }: FoundStores,
  { chunks, indexes }: StoredRecords,
): { link?: string } {
  const last = chunks.at(-1);
  if (!hasMore || last === undefined) return {};
  const linked: Record<string, string> = {};
  for (const condition of query.conditions) Object.assign(linked, condition.linked);
  // Not `now`: all pages are of one instant.
  if (query.at !== null) linked.at = showInstant(query.at);
  if (!goesByAfter(query)) return nextLink(trace, { skip: query.skip + chunks.length, ...linked });
  const record = new RecordReader();
  record.moveTo(last, indexes.at(-1) as number);
  // `sort` is refused beside `after`, even `sort=id`.
  return nextLink(trace, { skip: null, sort: null, after: record.id(), ...linked });
}

/** Returns the name of a parameter: `sort`, `sort[]` and `sort%5B%5D` are one. */
function nameOf(pair: string): string {
  const equals = pair.indexOf('=');
  const name = decodeURIComponent(equals < 0 ? pair : pair.slice(0, equals));
  return name.endsWith('[]') ? name.slice(0, -2) : name;
}

/**
 * Returns whether `Link` leads to the next page by `after`: in the order of ids, unless a position,
 * a delivery point or `q` was sent.
 */
function goesByAfter({ sort, conditions }: ListQuery): boolean {
  return sort.length === 0 && conditions.every(({ order }) => order === undefined);
}
