/** The stores within a radius of a position, each with its nearest location. */
import type { PlaceTable } from '../snapshot/place-table.ts';
import { DistanceFrom } from './great-circle.ts';
import type { PositionFilter } from './list-query.ts';
import { searchBoxes } from './search-box.ts';

/** Stores found, in no order: columns of equal length. */
export interface FoundStores {
  /** Ordinals, each once. */
  readonly stores: number[];
  /** Number of the nearest location of each store, 0 is the main one. */
  readonly locations: number[];
  /** Kilometres, not rounded. */
  readonly distances: number[];
}

/**
 * Searches the tree by bounding boxes and measures what they hold. geokdbush's `around` orders
 * its results in a queue of objects; as `total` needs every store within the radius anyway, plain
 * boxes with one sort of the page afterwards cost a fraction of that.
 *
 * @param accepts tells by ordinal whether a store passes the other filters
 * @param slots scratch of one number per store, all 0, and left so
 */
export function findWithin(
  table: PlaceTable,
  position: PositionFilter,
  accepts: (store: number) => boolean,
  slots: Uint32Array,
): FoundStores {
  const { coords } = table.tree;
  const from = new DistanceFrom(position.latitude, position.longitude);
  const found = new Nearest(slots);
  for (const box of searchBoxes(position)) {
    for (const place of table.tree.range(box.minLng, box.minLat, box.maxLng, box.maxLat)) {
      const store = table.store[place] as number;
      if (!accepts(store)) continue;
      const lng = coords[2 * place] as number;
      const lat = coords[2 * place + 1] as number;
      const distance = from.to(lat, lng, table.cosine[place] as number);
      if (distance <= position.radius) found.add(store, table.number[place] as number, distance);
    }
  }
  for (const store of found.stores) slots[store] = 0;
  return found;
}

/** Keeps the nearest location of every store; of equally near ones the lowest number. */
class Nearest implements FoundStores {
  readonly stores: number[] = [];
  readonly locations: number[] = [];
  readonly distances: number[] = [];
  /** By ordinal: 1 + the position of the store in the columns, 0 when it is in none. */
  private readonly slots: Uint32Array;

  constructor(slots: Uint32Array) {
    this.slots = slots;
  }

  add(store: number, location: number, distance: number): void {
    const held = (this.slots[store] as number) - 1;
    if (held < 0) {
      this.slots[store] = this.stores.push(store);
      this.locations.push(location);
      this.distances.push(distance);
      return;
    }
    const nearest = this.distances[held] as number;
    if (
      distance < nearest ||
      (distance === nearest && location < (this.locations[held] as number))
    ) {
      this.distances[held] = distance;
      this.locations[held] = location;
    }
  }
}
