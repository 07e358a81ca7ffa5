/** Bodies of the two operations, as bytes copied from compiled records. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { Utm } from '../model/utm.ts';
import type { Matches } from '../query/directory.ts';
import type { GetQuery, ListQuery } from '../query/queries.ts';
import { Attribution } from './attribution.ts';
import { Projection } from './project-fields.ts';
import { SegmentList } from './segment-list.ts';
import { StoreView } from './store-view.ts';

/** Shared by all answers of an isolate: it is filled and emptied without waiting in between. */
const segments = new SegmentList();

const COMMA = new TextEncoder().encode(',');

/**
 * The body of a list: `{"total":…,"docs":[…]}`.
 * @throws ProblemError storage_unreachable
 */
export async function renderList(
  release: LoadedRelease,
  matches: Matches,
  query: ListQuery,
  utm: Utm | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const { stores, locations, distances } = matches;
  const found = release.chunksOf(stores);
  const chunks = found instanceof Promise ? await found : found;
  const view = new StoreView(query.language, utm && new Attribution(utm));
  const projection = query.fields && new Projection(query.fields);
  const { recordOffset } = release.stores;
  return collect(() => {
    segments.addAscii(`{"total":${matches.total},"docs":[`);
    chunks.forEach((chunk, index) => {
      const offset = recordOffset[stores[index] as number] as number;
      view.moveTo(chunk, offset, locations?.[index] ?? 0, distances?.[index] ?? null);
      if (index > 0) segments.addBytes(COMMA);
      addStore(view, projection);
    });
    segments.addAscii(']}');
  });
}

/**
 * The body of one store.
 * @param location number of the queried location, 0 is the main one
 * @throws ProblemError storage_unreachable
 */
export async function renderStore(
  release: LoadedRelease,
  store: number,
  location: number,
  query: GetQuery,
  utm: Utm | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = release.chunksOf([store]);
  const chunks = found instanceof Promise ? await found : found;
  const view = new StoreView(query.language, utm && new Attribution(utm));
  const projection = query.fields && new Projection(query.fields);
  return collect(() => {
    for (const chunk of chunks) {
      view.moveTo(chunk, release.stores.recordOffset[store] as number, location, null);
      addStore(view, projection);
    }
  });
}

function addStore(view: StoreView, projection: Projection | null): void {
  if (projection === null) view.addWhole(segments);
  else projection.addTo(segments, view);
}

/** Runs `fill` and takes what it added; a failure leaves nothing behind for the next answer. */
function collect(fill: () => void): Uint8Array<ArrayBuffer> {
  try {
    fill();
    return segments.toBytes();
  } finally {
    segments.clear();
  }
}
