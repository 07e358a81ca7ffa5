/**
 * The `places` and `tree` parts: every displayed location, and the KD-tree over them.
 *
 * `tree` is a serialised KDBush (its own header and version) of longitude and latitude. Locations
 * are numbered by their position in the tree, so that its id column is 0, 1, 2 … and its
 * coordinates can be read by location number. `places` has, for m locations:
 *
 *     section  content
 *     0        store     u32 × m, ordinal of the store
 *     1        number    u16 × m, number of the location within the store, 0 is the main one
 */
import KDBush from 'kdbush';
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { expectEqual, SnapshotFormatError } from './format-error.ts';

const SECTION_COUNT = 2;

export interface Place {
  /** Ordinal of the store. */
  readonly store: number;
  /** Number of the location within the store, 0 is the main one. */
  readonly number: number;
  readonly lat: number;
  readonly lng: number;
}

interface PlaceParts {
  readonly places: Uint8Array<ArrayBuffer>;
  readonly tree: Uint8Array<ArrayBuffer>;
}

/** Writes both parts. The result depends on the order of `places`. */
export function writePlaces(places: readonly Place[]): PlaceParts {
  const tree = new KDBush(places.length);
  for (const { lng, lat } of places) tree.add(lng, lat);
  tree.finish();
  const ordered = Array.from(tree.ids, (id) => places[id] as Place);
  for (let position = 0; position < ordered.length; position++) tree.ids[position] = position;
  return {
    places: writeColumnFile([
      Uint32Array.from(ordered, (place) => place.store),
      Uint16Array.from(ordered, (place) => place.number),
    ]),
    tree: new Uint8Array(tree.data as ArrayBuffer),
  };
}

/** Reads both parts in place. */
export class PlaceTable {
  readonly tree: KDBush;
  readonly store: Uint32Array;
  readonly number: Uint16Array;
  /**
   * The first place of the same store, for each place. Names a store as its ordinal does, but near
   * places have near names, so that what a search keeps by them lies together in memory.
   */
  readonly firstPlace: Uint32Array;
  /** How many stores have a place. */
  readonly placedStoreCount: number;

  /** Checks the layout and that every place belongs to a store. @throws SnapshotFormatError */
  constructor(places: ArrayBuffer, tree: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile('places', places, SECTION_COUNT);
    const m = file.bytes(0) / Uint32Array.BYTES_PER_ELEMENT;
    this.store = file.u32(0, m);
    this.number = file.u16(1, m);
    this.tree = readTree(tree, m);
    this.firstPlace = new Uint32Array(m);
    this.placedStoreCount = this.derive(storeCount);
  }

  /** Checks every place and fills the derived column; returns how many stores have a place. */
  private derive(storeCount: number): number {
    const { store, firstPlace } = this;
    const { ids } = this.tree;
    /** 1 + the first place of each store, 0 while none is known. */
    const firstPlaces = new Uint32Array(storeCount);
    let placedStoreCount = 0;
    for (let place = 0; place < store.length; place++) {
      const ordinal = store[place] as number;
      if (ordinal >= storeCount) {
        throw new SnapshotFormatError(`places: place ${place} belongs to no store`);
      }
      if (ids[place] !== place) {
        throw new SnapshotFormatError(`tree: id ${place} is not its position`);
      }
      if (firstPlaces[ordinal] === 0) {
        firstPlaces[ordinal] = place + 1;
        placedStoreCount++;
      }
      firstPlace[place] = (firstPlaces[ordinal] as number) - 1;
    }
    return placedStoreCount;
  }
}

function readTree(bytes: ArrayBuffer, placeCount: number): KDBush {
  try {
    const tree = KDBush.from(bytes);
    expectEqual('tree items', tree.numItems, placeCount);
    const end = tree.coords.byteOffset + tree.coords.byteLength;
    expectEqual('tree length', bytes.byteLength, end);
    return tree;
  } catch (cause) {
    if (cause instanceof SnapshotFormatError) throw cause;
    throw new SnapshotFormatError(`tree: ${cause instanceof Error ? cause.message : cause}`);
  }
}
