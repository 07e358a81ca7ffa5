/**
 * The `places` part: every displayed location, and the KD-tree over them. m locations:
 *
 *     offset  size   what
 *     0       t      the tree: a serialised KDBush of longitude and latitude, with a header and a
 *                    version of its own
 *     …       4·m    store: u32, ordinal of the store; starts on a multiple of 8
 *     …       2·m    number: u16, number of the location within the store, 0 is the main one
 *
 * Locations are numbered by their position in the tree, so that its id column is 0, 1, 2 … and its
 * coordinates can be read by location number. The tree comes first because KDBush reads it in place
 * only there.
 */
import KDBush from 'kdbush';
import { align } from './column-file.ts';
import { expectEqual, SnapshotFormatError } from './format-error.ts';
import type { Part } from './part.ts';

export const PLACES_PART = { name: 'places', read: readPlaces } satisfies Part;

export type PlaceTable = ReturnType<typeof readPlaces>;

export interface Place {
  /** Ordinal of the store. */
  readonly store: number;
  /** Number of the location within the store, 0 is the main one. */
  readonly number: number;
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
  const { stores, numbers, end } = columnOffsets(tree.data.byteLength, places.length);
  const part = new Uint8Array(end);
  part.set(new Uint8Array(tree.data as ArrayBuffer), 0);
  new Uint32Array(part.buffer, stores, places.length).set(ordered.map(({ store }) => store));
  new Uint16Array(part.buffer, numbers, places.length).set(ordered.map(({ number }) => number));
  return part;
}

/** Where the columns lie after a tree of so many bytes. */
function columnOffsets(treeBytes: number, placeCount: number) {
  const stores = align(treeBytes);
  const numbers = stores + Uint32Array.BYTES_PER_ELEMENT * placeCount;
  return { stores, numbers, end: numbers + Uint16Array.BYTES_PER_ELEMENT * placeCount };
}

/** Reads the part in place, and checks its layout. @throws SnapshotFormatError */
function readPlaces(part: ArrayBuffer, storeCount: number) {
  const tree = readTree(part);
  const { coords, numItems } = tree;
  const { stores, numbers, end } = columnOffsets(coords.byteOffset + coords.byteLength, numItems);
  expectEqual('places length', part.byteLength, end);
  return {
    tree,
    store: new Uint32Array(part, stores, numItems),
    number: new Uint16Array(part, numbers, numItems),
    /** Of the release, also those without a place. */
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
