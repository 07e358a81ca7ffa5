/** The stores within a radius of a position, each with its nearest location. */
import type { PlaceTable } from '../snapshot/place-table.ts';
import { FoundStores } from './found-stores.ts';
import { DistanceFrom, ESTIMATE_DOUBT, ESTIMATE_FLOOR, estimateAt } from './great-circle.ts';
import { runsWithin } from './place-runs.ts';
import type { PositionFilter } from './queries.ts';
import { searchBoxes } from './search-box.ts';

/** Places that are estimated in one go. */
const BLOCK = 512;
const estimates = new Float64Array(BLOCK);

/** Room for the finds of a search, kept for the next one: a town has thousands of them. */
const rooms = new WeakMap<PlaceTable, FoundStores>();

/**
 * Looks at every place of the tree that is near enough. geokdbush's `around` orders its results in a
 * queue of objects; as `total` needs every store within the radius anyway, one pass with a sort of
 * the page afterwards costs a fraction of that.
 *
 * The next search of the table takes the result over, so it has to be used without waiting.
 *
 * @param accepts tells by ordinal whether a store passes the other filters; null if there are none
 */
export function findWithin(
  table: PlaceTable,
  position: PositionFilter,
  accepts: ((store: number) => boolean) | null,
): FoundStores {
  const from = new DistanceFrom(position.latitude, position.longitude);
  const found = rooms.get(table) ?? new FoundStores(table);
  rooms.set(table, found);
  found.begin(from);
  const { store, tree } = table;
  const rim = estimateAt(position.radius);
  const inside = rim * (1 - ESTIMATE_DOUBT);
  const outside = rim * (1 + ESTIMATE_DOUBT) + ESTIMATE_FLOOR;
  const runs = runsWithin(table, searchBoxes(position));
  for (let run = 0; run < runs.length; run += 2) {
    const last = runs[run + 1] as number;
    for (let first = runs[run] as number; first <= last; first += BLOCK) {
      const count = Math.min(BLOCK, last - first + 1);
      from.estimate(tree.coords, first, count, estimates);
      for (let index = 0; index < count; index++) {
        const near = estimates[index] as number;
        if (near > outside) continue;
        const place = first + index;
        if (near >= inside && found.measure(place) > position.radius) continue;
        if (!accepts || accepts(store[place] as number)) found.take(place, near);
      }
    }
  }
  return found;
}
