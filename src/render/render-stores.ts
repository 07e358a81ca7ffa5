/** Bodies of a list of stores and of one store, as bytes copied from compiled records. */
import type { Utm } from '../model/utm.ts';
import type { LocatedStore, StorePage } from '../query/directory.ts';
import type { GetQuery, ListQuery } from '../query/queries.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { touchRecords } from '../snapshot/touch-records.ts';
import { Attribution } from './attribution.ts';
import { Projection } from './projection.ts';
import { SegmentList } from './segment-list.ts';
import { StoreView } from './store-view.ts';

/** Shared by all answers of an isolate: it is filled and emptied without waiting in between. */
const segments = new SegmentList();

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
  const view = new StoreView(query.language, utm && new Attribution(utm));
  const projection = query.fields && new Projection(query.fields);
  if (projection !== null) touchRecords(chunks, indexes);
  return collect(() => {
    segments.addAscii(`{"total":${total},"docs":[`);
    for (let place = 0; place < chunks.length; place++) {
      const index = indexes[place] as number;
      const distance = distances?.[place] ?? null;
      view.moveTo(chunks[place] as Chunk, index, locations?.[place] ?? 0, distance);
      if (place > 0) segments.addBytes(COMMA);
      addStore(view, projection);
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
  const view = new StoreView(query.language, utm && new Attribution(utm));
  const projection = query.fields && new Projection(query.fields);
  return collect(() => {
    view.moveTo(chunk, index, location, null);
    addStore(view, projection);
  });
}

function addStore(view: StoreView, projection: Projection | null): void {
  if (projection === null) view.addWhole(segments);
  else projection.addTo(segments, view);
}

/** Runs `fill` and takes what it added. Where that fails, nothing is left behind for the next answer. */
function collect(fill: () => void): Uint8Array<ArrayBuffer> {
  try {
    fill();
    return segments.toBytes();
  } catch (error) {
    segments.clear();
    throw error;
  }
}
