/**
 * The part `hours`: the schedules of n stores, as `hours/opening-rule.ts` reads them. Lists that several
 * stores have are written once. Of w lists of rows with r rows in all, and k lists with g ranges in all:
 *
 *     section  content
 *     0        rows       u32 × r
 *     1        rowEnds    u32 × w, where each list of rows ends in `rows`
 *     2        ranges     f64 × 2·g, first and last instant in turn
 *     3        rangeEnds  u32 × k, where each list of ranges ends in `ranges`
 *     4        stores     u32 × 4·n, the numbers of the lists of each store: its week, its week in the low
 *                         season, its low seasons, its closures
 */
import type { HoursLists, PackedSchedule } from '../hours/opening-rule.ts';
import { ColumnFile, endsOf, expectEnds, writeColumnFile } from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';

const SECTION_COUNT = 5;
const LISTS_EACH = 4;

/** Writes the part of the schedules of stores, in ordinal order. */
export function writeHours(schedules: readonly PackedSchedule[]): Uint8Array<ArrayBuffer> {
  const rows = new DistinctLists();
  const ranges = new DistinctLists();
  const stores = schedules.flatMap(({ week, lowWeek, lowSeasons, closures }) => [
    rows.number(week),
    rows.number(lowWeek),
    ranges.number(lowSeasons),
    ranges.number(closures),
  ]);
  return writeColumnFile([
    Uint32Array.from(rows.all.flat()),
    endsOf(rows.all),
    Float64Array.from(ranges.all.flat()),
    endsOf(ranges.all),
    Uint32Array.from(stores),
  ]);
}

/** Lists, each once. */
class DistinctLists {
  readonly all: (readonly number[])[] = [];
  private readonly numbers = new Map<string, number>();

  number(list: readonly number[]): number {
    const key = list.join();
    const known = this.numbers.get(key) ?? this.all.length;
    if (known === this.all.length) {
      this.all.push(list);
      this.numbers.set(key, known);
    }
    return known;
  }
}

/** Reads the part in place. */
export class HoursTable implements HoursLists {
  readonly rows: Uint32Array;
  readonly rowEnds: Uint32Array;
  readonly ranges: Float64Array;
  readonly rangeEnds: Uint32Array;
  private readonly stores: Uint32Array;

  /** Checks the layout and that every list of a store is there. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile('hours', buffer, SECTION_COUNT);
    this.rows = file.u32(0);
    this.rowEnds = file.u32(1);
    this.ranges = file.f64(2);
    this.rangeEnds = file.u32(3);
    this.stores = file.u32(4, LISTS_EACH * storeCount);
    expectEnds('hours rows', this.rowEnds, this.rows.length);
    expectEnds('hours ranges', this.rangeEnds, this.ranges.length);
    const counts = [this.rowEnds.length, this.rangeEnds.length];
    for (let index = 0; index < this.stores.length; index++) {
      const count = counts[(index >> 1) & 1] as number;
      if ((this.stores[index] as number) >= count) {
        throw new SnapshotFormatError(`hours: a store has a list that is none of ${count}`);
      }
    }
  }

  week(store: number): number {
    return this.stores[LISTS_EACH * store] as number;
  }

  lowWeek(store: number): number {
    return this.stores[LISTS_EACH * store + 1] as number;
  }

  lowSeasons(store: number): number {
    return this.stores[LISTS_EACH * store + 2] as number;
  }

  closures(store: number): number {
    return this.stores[LISTS_EACH * store + 3] as number;
  }
}
