/**
 * Columns of all stores that a request fills while it is worked out. The next request uses them again: as
 * garbage, those of a few requests at 100,000 stores would fill an isolate.
 */

type Numbers = Uint8Array | Uint16Array | Uint32Array;

export class StoreColumn<Column extends Numbers> {
  private readonly make: (length: number) => Column;
  private column: Column;

  constructor(make: (length: number) => Column) {
    this.make = make;
    this.column = make(0);
  }

  /** Zeros for so many stores, to be used without waiting and before the column is asked for again. */
  zeros(count: number): Column {
    const column = this.room(count);
    column.fill(0);
    return column;
  }

  /** The same without clearing what is there. */
  room(count: number): Column {
    if (this.column.length < count) this.column = this.make(count);
    return this.column.subarray(0, count) as Column;
  }
}

const kept = new StoreColumn((length) => new Uint32Array(length));

/** Ordinals of all stores that pass a test, ascending. */
export function passingOf(storeCount: number, passes: (store: number) => boolean): Uint32Array {
  const room = kept.room(storeCount);
  let count = 0;
  for (let store = 0; store < storeCount; store++) {
    if (passes(store)) room[count++] = store;
  }
  return room.slice(0, count);
}

/** Those of `stores` that pass a test, in the same order. */
export function passingAmong(stores: Uint32Array, passes: (store: number) => boolean): Uint32Array {
  const room = kept.room(stores.length);
  let count = 0;
  for (let place = 0; place < stores.length; place++) {
    const store = stores[place] as number;
    if (passes(store)) room[count++] = store;
  }
  return room.slice(0, count);
}
