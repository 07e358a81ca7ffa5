/** Renders the bodies of a list and of one store, by copying bytes of compiled records. */

import type { Utm } from '../auth/token-record.ts';
import type { StoredRecords } from '../load/loaded-release.ts';
import type { RequestedValues } from '../model/store.ts';
import type { FoundStore } from '../query/find-store.ts';
import type { FoundStores } from '../query/find-stores.ts';
import type { ContentQuery, ListQuery } from '../query/queries.ts';
import type { Chunk } from '../snapshot/chunks.ts';
import type { AnswerBuffer } from './answer-buffer.ts';
import { attributionOf } from './attribution.ts';
import { projectionOf } from './projection.ts';
import { StoreView } from './store-view.ts';

const encoder = new TextEncoder();

/**
 * Renders the body of a list: `{"total":…,"docs":[…]}`, with the counts at the end.
 * @param records of the stores on the page
 * @param buffer working memory
 */
export function renderList(
  { total, locations, added, counts }: FoundStores,
  { chunks, indexes }: StoredRecords,
  query: ListQuery,
  utm: Utm | null,
  buffer: AnswerBuffer,
): Uint8Array<ArrayBuffer> {
  const view = new StoreView(buffer, query.language, utm && attributionOf(utm));
  const addStore = addingOf(query);
  buffer.clear();
  buffer.addAscii(`{"total":${total},"docs":[`);
  for (let position = 0; position < chunks.length; position++) {
    const location = locations?.[position] ?? 0;
    const [chunk, index] = [chunks[position] as Chunk, indexes[position] as number];
    view.moveTo(chunk, index, location, added[position] as RequestedValues);
    if (position > 0) buffer.addAscii(',');
    addStore(view);
  }
  buffer.addAscii(']');
  for (const [name, json] of Object.entries(counts)) {
    buffer.addBytes(encoder.encode(`,"${name}":${json}`));
  }
  buffer.addAscii('}');
  return buffer.toBytes();
}

/**
 * Renders the body of one store.
 * @param added fields that the request adds
 * @param buffer working memory
 */
export function renderStore(
  { chunk, index, location }: FoundStore,
  added: RequestedValues,
  query: ContentQuery,
  utm: Utm | null,
  buffer: AnswerBuffer,
): Uint8Array<ArrayBuffer> {
  const view = new StoreView(buffer, query.language, utm && attributionOf(utm));
  buffer.clear();
  view.moveTo(chunk, index, location, added);
  addingOf(query)(view);
  return buffer.toBytes();
}

/** Returns the function that appends as much of a store as the query asks for. */
function addingOf({ fields }: ContentQuery): (view: StoreView) => void {
  return fields ? projectionOf(fields) : (view) => view.addWhole();
}
