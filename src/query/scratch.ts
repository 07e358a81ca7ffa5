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

/** One column. It grows to the largest number of entries that was asked for. */
class Column<Entries extends Numbers> {
  private entries: Entries;
  private readonly Type: new (
    length: number,
  ) => Entries;

  constructor(Type: new (length: number) => Entries) {
    this.Type = Type;
    this.entries = new Type(0);
  }

  /** Returns so many entries, all of them 0. */
  zeros(count: number): Entries {
    const entries = this.room(count);
    entries.fill(0);
    return entries;
  }

  /** Returns so many entries, which still have what the query before has left in them. */
  room(count: number): Entries {
    if (this.entries.length < count) this.entries = new this.Type(count);
    return this.entries.subarray(0, count) as Entries;
  }
}

export class Scratch {
  /** Filtering: ordinals of the stores that pass. */
  readonly passing = new Column(Uint32Array);
  /**
   * Search by location: 1 + the index of the location that is shown, 0 for stores that are not
   * found.
   */
  readonly locations = new Column(Uint16Array);
  /** How far away that location is. */
  readonly millimetres = new Column(Float64Array);
  readonly kilometres = new Column(Float64Array);
  /** What the store charges to deliver there. */
  readonly prices = new Column(Float64Array);
  /**
   * Search by words, a bit for each word of the query: in the name, in a town or postcode, as a
   * whole word.
   */
  readonly named = new Column(Uint8Array);
  readonly placed = new Column(Uint8Array);
  readonly whole = new Column(Uint8Array);
  readonly relevance = new Column(Uint32Array);
  /** Sorting: by rank, the position of the next store. */
  readonly positions = new Column(Uint32Array);
}
