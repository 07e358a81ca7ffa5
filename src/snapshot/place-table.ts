/**
 * The `places` part: every displayed location, and the KD-tree over them. m locations:
 *
 *     offset  size   what
 *     0       t      the tree: a serialised KDBush of longitude and latitude, with a header and a
 *                    version of its own
 *     …       4·m    stores: u32, ordinal of the store; starts on a multiple of 8
 *     …       2·m    locationIndexes: u16, index of the location within the store, 0 is the main one
 *
 * Locations lie as in the tree: its id column is 0, 1, 2 …, so an id that a search finds is the index of
 * the location in each column and, with longitude and latitude in turn, in the tree's coordinates. The
 * tree comes first because KDBush reads it in place only there.
 */
import KDBush from 'kdbush';
import { align, expectEqual, type Part, SnapshotFormatError } from './column-file.ts';

const MILLIMETRES_PER_KILOMETRE = 1e6;

/** Returns how distances compare: in whole millimetres. */
export function inMillimetres(kilometres: number): number {
  return Math.round(kilometres * MILLIMETRES_PER_KILOMETRE);
}

export const PLACES_PART = { name: 'places', read: readPlaces } satisfies Part;

export type PlaceTable = ReturnType<typeof readPlaces>;

export interface Place {
  /** Ordinal of the store. */
  readonly store: number;
  /** Within the store, 0 is the main location. */
  readonly locationIndex: number;
  readonly lat: number;
  readonly lng: number;
}

/** Writes the part. The result depends on the order of `places`. */
export function writePlaces(places: readonly Place[]): Uint8Array<ArrayBuffer> {
  const tree = new KDBush(places.length);
  for (const { lng, lat } of places) tree.add(lng, lat);
  tree.finish();
  const ordered = Array.from(tree.ids, (id) => places[id] as Place);
  for (let position = 0; position < ordered.length; position++) tree.ids[position] = position;
  const { stores, locationIndexes, end } = columnOffsets(tree.data.byteLength, places.length);
  const part = new Uint8Array(end);
  part.set(new Uint8Array(tree.data as ArrayBuffer), 0);
  new Uint32Array(part.buffer, stores, places.length).set(ordered.map(({ store }) => store));
  new Uint16Array(part.buffer, locationIndexes, places.length).set(
    ordered.map(({ locationIndex }) => locationIndex),
  );
  return part;
}

/** Returns where the columns lie after a tree of so many bytes. */
function columnOffsets(treeBytes: number, placeCount: number) {
  const stores = align(treeBytes);
  const locationIndexes = stores + Uint32Array.BYTES_PER_ELEMENT * placeCount;
  const end = locationIndexes + Uint16Array.BYTES_PER_ELEMENT * placeCount;
  return { stores, locationIndexes, end };
}

/** Reads the part in place, and checks its layout. @throws SnapshotFormatError */
function readPlaces(part: ArrayBuffer, storeCount: number) {
  const tree = readTree(part);
  const { coords, numItems } = tree;
  const offsets = columnOffsets(coords.byteOffset + coords.byteLength, numItems);
  const { stores, locationIndexes, end } = offsets;
  expectEqual('places length', part.byteLength, end);
  return {
    tree,
    stores: new Uint32Array(part, stores, numItems),
    locationIndexes: new Uint16Array(part, locationIndexes, numItems),
    /** Number of all stores of the release, also of stores that hide their locations. */
    storeCount,
  };
}

function readTree(buffer: ArrayBuffer): KDBush {
  try {
    return KDBush.from(buffer);
  } catch (cause) {
    throw new SnapshotFormatError(`places: ${cause instanceof Error ? cause.message : cause}`);
  }
}
