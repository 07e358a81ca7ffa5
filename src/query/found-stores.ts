/**
 * What a search by position found. Thousands of stores may lie within a radius and twenty of them
 * on the page, so distances are estimated for all and measured only where that decides something.
 */
import type { PlaceTable } from '../snapshot/place-table.ts';
import { DistanceFrom, ESTIMATE_DOUBT, ESTIMATE_FLOOR } from './great-circle.ts';

/** Rings of equal area around the position that `nearest` counts in. */
const RINGS = 2048;

/** Stores, each once, by their slots 0 … count − 1, in no order. */
export class FoundStores {
  count = 0;
  private readonly table: PlaceTable;
  /**
   * The first place of the same store, for each place. Names a store as its ordinal does, but near
   * places have near names, so that what a search keeps by them lies together in memory.
   */
  private readonly firstPlace: Uint32Array;
  private from = new DistanceFrom(0, 0);
  /** 1 + the slot of the store whose first place this is; 0 while it has none. By place. */
  private readonly slots: Uint32Array;
  /** The nearest place of each store, by slot. */
  private readonly places: Uint32Array;
  /** Estimates of how near they are, by slot. */
  private readonly estimates: Float64Array;
  /** Kilometres as far as they are known, by slot; else 0. */
  private readonly distances: Float64Array;

  /** Makes room for every store that has a place. */
  constructor(table: PlaceTable) {
    this.table = table;
    const { firstPlace, placedStores } = firstPlacesOf(table);
    this.firstPlace = firstPlace;
    this.slots = new Uint32Array(table.store.length);
    this.places = new Uint32Array(placedStores);
    this.estimates = new Float64Array(placedStores);
    this.distances = new Float64Array(placedStores);
  }

  /** Forgets what was found, for a search around another position. */
  begin(from: DistanceFrom): void {
    for (let slot = 0; slot < this.count; slot++) {
      this.slots[this.firstPlace[this.places[slot] as number] as number] = 0;
    }
    this.count = 0;
    this.from = from;
  }

  /**
   * Takes a place of a store unless one is held that is nearer; of equally near ones the lowest
   * number counts.
   */
  take(place: number, estimate: number): void {
    const first = this.firstPlace[place] as number;
    const slot = (this.slots[first] as number) - 1;
    if (slot >= 0) {
      if (this.isNearer(place, estimate, slot)) this.keep(slot, place, estimate);
      return;
    }
    this.keep(this.count, place, estimate);
    this.slots[first] = ++this.count;
  }

  /** Ordinal of a store. */
  store(slot: number): number {
    return this.table.store[this.places[slot] as number] as number;
  }

  /** Number of the nearest location of a store, 0 is the main one. */
  location(slot: number): number {
    return this.table.number[this.places[slot] as number] as number;
  }

  /** Kilometres to it, not rounded. */
  distance(slot: number): number {
    const known = this.distances[slot] as number;
    if (known > 0) return known;
    const distance = this.measure(this.places[slot] as number);
    this.distances[slot] = distance;
    return distance;
  }

  /** Kilometres to a place, not rounded. */
  measure(place: number): number {
    const { coords } = this.table.tree;
    return this.from.to(coords[2 * place + 1] as number, coords[2 * place] as number);
  }

  /** Every slot. */
  all(): Uint32Array {
    const slots = new Uint32Array(this.count);
    for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot;
    return slots;
  }

  /** Slots that hold the `wanted` nearest, and few more. */
  nearest(wanted: number): Uint32Array {
    const furthest = this.furthestEstimate();
    // Rings of less than that would be too narrow for a number.
    if (wanted >= this.count || furthest <= ESTIMATE_FLOOR) return this.all();
    const scale = (RINGS - 1) / furthest;
    const sizes = new Uint32Array(RINGS);
    for (let slot = 0; slot < this.count; slot++) {
      const ring = Math.floor((this.estimates[slot] as number) * scale);
      sizes[ring] = (sizes[ring] as number) + 1;
    }
    let last = 0;
    for (let held = sizes[0] as number; held < wanted; held += sizes[last] as number) last++;
    // One ring more: what lies on the edge may have been estimated to either side.
    const limit = (last + 2) / scale;
    const slots: number[] = [];
    for (let slot = 0; slot < this.count; slot++) {
      if ((this.estimates[slot] as number) <= limit) slots.push(slot);
    }
    return Uint32Array.from(slots);
  }

  private furthestEstimate(): number {
    let furthest = 0;
    for (let slot = 0; slot < this.count; slot++) {
      furthest = Math.max(furthest, this.estimates[slot] as number);
    }
    return furthest;
  }

  private keep(slot: number, place: number, estimate: number): void {
    this.places[slot] = place;
    this.estimates[slot] = estimate;
    this.distances[slot] = 0;
  }

  private isNearer(place: number, estimate: number, slot: number): boolean {
    const held = this.estimates[slot] as number;
    const doubt = ESTIMATE_DOUBT * held + ESTIMATE_FLOOR;
    if (Math.abs(estimate - held) > doubt) return estimate < held;
    const difference = this.measure(place) - this.distance(slot);
    if (difference !== 0) return difference < 0;
    return (this.table.number[place] as number) < this.location(slot);
  }
}

/** The first place of the same store, for each place, and how many stores have one. */
function firstPlacesOf({ store, storeCount }: PlaceTable) {
  const firstPlace = new Uint32Array(store.length);
  /** 1 + the first place of each store, 0 while none is known. */
  const known = new Uint32Array(storeCount);
  let placedStores = 0;
  for (let place = 0; place < store.length; place++) {
    const ordinal = store[place] as number;
    if (known[ordinal] === 0) {
      known[ordinal] = place + 1;
      placedStores++;
    }
    firstPlace[place] = (known[ordinal] as number) - 1;
  }
  return { firstPlace, placedStores };
}
