/**
 * Working memory of queries: columns with an entry for each store or rank, which every query fills
 * anew. They are used again, because as garbage the columns of a few queries over 100,000 stores
 * would fill an isolate.
 *
 * The next query overwrites what a function has put into the `Scratch` that it was handed: use it
 * before you await anything. What `findStores` returns is a copy. `COLUMN_BYTES` in
 * `load/snapshot-memory.ts` counts all columns.
 */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Makes a column. It grows to the largest number of entries that was asked for. */
function column<Entries extends Numbers>(Type: new (length: number) => Entries) {
  let entries = new Type(0);

  /** Returns so many entries, which still have what the query before has left in them. */
  function room(count: number): Entries {
    if (entries.length < count) entries = new Type(count);
    return entries.subarray(0, count) as Entries;
  }

  /** Returns so many entries, all of them 0. */
  function zeros(count: number): Entries {
    const wanted = room(count);
    wanted.fill(0);
    return wanted;
  }

  return { room, zeros };
}

export class Scratch {
  /** Filtering: ordinals of the stores that pass. */
  readonly passing = column(Uint32Array);
  /**
   * Search by location: 1 + the index of the location that is shown, 0 for stores that are not
   * found.
   */
  readonly locations = column(Uint16Array);
  /** How far away that location is. */
  readonly millimetres = column(Float64Array);
  readonly kilometres = column(Float64Array);
  /** What the store charges to deliver there. */
  readonly prices = column(Float64Array);
  /**
   * Search by words, a bit for each word of the query: in the name, in a town or postcode, as a
   * whole word.
   */
  readonly named = column(Uint8Array);
  readonly placed = column(Uint8Array);
  readonly whole = column(Uint8Array);
  readonly relevance = column(Uint32Array);
  /** Sorting: by rank, the position of the next store. */
  readonly positions = column(Uint32Array);
}
