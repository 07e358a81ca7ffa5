/** The stores within a radius of a position, each with its nearest location. */
import type { PlaceTable } from '../snapshot/place-table.ts';
import { greatCircleDistance } from './great-circle.ts';
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
 */
export function findWithin(
  table: PlaceTable,
  position: PositionFilter,
  accepts: (store: number) => boolean,
): FoundStores {
  const { coords } = table.tree;
  const found = new Nearest();
  for (const box of searchBoxes(position)) {
    for (const place of table.tree.range(box.minLng, box.minLat, box.maxLng, box.maxLat)) {
      const store = table.store[place] as number;
      if (!accepts(store)) continue;
      const lng = coords[2 * place] as number;
      const lat = coords[2 * place + 1] as number;
      const distance = greatCircleDistance(position.latitude, position.longitude, lat, lng);
      if (distance <= position.radius) found.add(store, table.number[place] as number, distance);
    }
  }
  return found;
}

/** Keeps the nearest location of every store; of equally near ones the lowest number. */
class Nearest implements FoundStores {
  readonly stores: number[] = [];
  readonly locations: number[] = [];
  readonly distances: number[] = [];
  private readonly slots = new Map<number, number>();

  add(store: number, location: number, distance: number): void {
    const slot = this.slots.get(store);
    if (slot === undefined) {
      this.slots.set(store, this.stores.push(store) - 1);
      this.locations.push(location);
      this.distances.push(distance);
      return;
    }
    const held = this.distances[slot] as number;
    if (distance < held || (distance === held && location < (this.locations[slot] as number))) {
      this.distances[slot] = distance;
      this.locations[slot] = location;
    }
  }
}
