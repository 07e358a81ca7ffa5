/**
 * Columns of all stores that a request fills while it is worked out. The next request uses them again: as
 * garbage, those of a few requests at 100,000 stores would fill an isolate. `COLUMN_BYTES` in
 * `load/snapshot-memory.ts` counts all of them.
 */

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** One column. What it gives is used without waiting, and before it is asked again. */
export class StoreColumn<Column extends Numbers> {
  private readonly Type: new (
    length: number,
  ) => Column;
  private column: Column;

  constructor(Type: new (length: number) => Column) {
    this.Type = Type;
    this.column = new Type(0);
  }

  /** Zeros for so many stores. */
  zeros(count: number): Column {
    const column = this.room(count);
    column.fill(0);
    return column;
  }

  /** The same without clearing what is there. */
  room(count: number): Column {
    if (this.column.length < count) this.column = new this.Type(count);
    return this.column.subarray(0, count) as Column;
  }
}

/** Tells of a store, by its ordinal, whether its mark is not 0. */
export function isMarked(marks: Numbers): (store: number) => boolean {
  return (store) => marks[store] !== 0;
}

const KEPT = new StoreColumn(Uint32Array);

/** Ordinals of all stores that pass a test, ascending. */
export function passingOf(storeCount: number, passes: (store: number) => boolean): Uint32Array {
  const room = KEPT.room(storeCount);
  let count = 0;
  for (let store = 0; store < storeCount; store++) {
    if (passes(store)) room[count++] = store;
  }
  return room.slice(0, count);
}

/** Those of `stores` that pass a test, in the same order. */
export function passingAmong(stores: Uint32Array, passes: (store: number) => boolean): Uint32Array {
  const room = KEPT.room(stores.length);
  let count = 0;
  for (let place = 0; place < stores.length; place++) {
    const store = stores[place] as number;
    if (passes(store)) room[count++] = store;
  }
  return room.slice(0, count);
}
