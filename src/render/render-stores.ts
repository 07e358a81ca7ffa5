/** Bodies of a list of stores and of one store, as bytes copied from compiled records. */
import type { Utm } from '../model/utm.ts';
import type { LocatedStore, StorePage } from '../query/directory.ts';
import type { GetQuery, ListQuery } from '../query/queries.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { touchRecords } from '../snapshot/touch-records.ts';
import { attributionOf } from './attribution.ts';
import { projectionOf } from './projection.ts';
import * as segments from './segment-list.ts';
import { StoreView } from './store-view.ts';

const encoder = new TextEncoder();
const COMMA = encoder.encode(',');

/** The body of a list: `{"total":…,"docs":[…]}`, with what is counted besides at the end. */
export function renderList(
  page: StorePage,
  query: ListQuery,
  utm: Utm | null,
): Uint8Array<ArrayBuffer> {
  const { total, locations, distances, counts, records } = page;
  const { chunks, indexes } = records;
  const view = new StoreView(query.language, utm && attributionOf(utm));
  const addStore = adding(query);
  if (query.fields !== null) touchRecords(chunks, indexes);
  return segments.collect(() => {
    segments.addAscii(`{"total":${total},"docs":[`);
    for (let place = 0; place < chunks.length; place++) {
      const index = indexes[place] as number;
      const distance = distances?.[place] ?? null;
      view.moveTo(chunks[place] as Chunk, index, locations?.[place] ?? 0, distance);
      if (place > 0) segments.addBytes(COMMA);
      addStore(view);
    }
    segments.addAscii(']');
    for (const [name, json] of Object.entries(counts)) {
      segments.addBytes(encoder.encode(`,"${name}":${json}`));
    }
    segments.addAscii('}');
  });
}

/** The body of one store. */
export function renderStore(
  { chunk, index, location }: LocatedStore,
  query: GetQuery,
  utm: Utm | null,
): Uint8Array<ArrayBuffer> {
  const view = new StoreView(query.language, utm && attributionOf(utm));
  const addStore = adding(query);
  return segments.collect(() => {
    view.moveTo(chunk, index, location, null);
    addStore(view);
  });
}

/** What appends the store that a view shows, as far as it is asked for. */
function adding({ fields }: GetQuery | ListQuery): (view: StoreView) => void {
  return fields ? projectionOf(fields) : (view) => view.addWhole();
}
