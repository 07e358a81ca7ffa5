/**
 * The part `hours`: the schedules of n stores, as `hours/opening-rule.ts` reads them. Lists that several
 * stores have are written once. Of w lists of rows with r rows in all, and k lists with g ranges in all:
 *
 *     section  content
 *     0        rows       u32 × r
 *     1        rowEnds    u32 × w, where each list of rows ends in `rows`
 *     2        ranges     f64 × 2·g, first and last instant in turn
 *     3        rangeEnds  u32 × k, where each list of ranges ends in `ranges`
 *     4        stores     numbers × 4·n, of the lists of each store: its week, its week in the low season,
 *                         its low seasons, its closures
 */
import type { HoursLists, PackedSchedule } from '../hours/opening-rule.ts';
import {
  ColumnFile,
  DistinctLists,
  endsOf,
  expectEnds,
  type NumberColumn,
  numberColumn,
  writeColumnFile,
} from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';
import type { Part } from './part.ts';

export const HOURS_PART: Part<HoursTable> = {
  name: 'hours',
  read: (part, storeCount) => new HoursTable(part, storeCount),
};

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
    numberColumn(stores, Math.max(rows.all.length, ranges.all.length)),
  ]);
}

/** Reads the part in place. */
export class HoursTable implements HoursLists {
  readonly rows: Uint32Array;
  readonly rowEnds: Uint32Array;
  readonly ranges: Float64Array;
  readonly rangeEnds: Uint32Array;
  private readonly stores: NumberColumn;

  /** Checks the layout; the lists of a store are checked as they are read. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile('hours', buffer, SECTION_COUNT);
    this.rows = file.u32(0);
    this.rowEnds = file.u32(1);
    this.ranges = file.f64(2);
    this.rangeEnds = file.u32(3);
    this.stores = file.numbers(
      4,
      LISTS_EACH * storeCount,
      Math.max(this.rowEnds.length, this.rangeEnds.length),
    );
    expectEnds('hours rows', this.rowEnds, this.rows.length);
    expectEnds('hours ranges', this.rangeEnds, this.ranges.length);
  }

  /** @throws SnapshotFormatError when the list is not there, as the others */
  week(store: number): number {
    return this.list(store, 0, this.rowEnds);
  }

  lowWeek(store: number): number {
    return this.list(store, 1, this.rowEnds);
  }

  lowSeasons(store: number): number {
    return this.list(store, 2, this.rangeEnds);
  }

  closures(store: number): number {
    return this.list(store, 3, this.rangeEnds);
  }

  private list(store: number, place: number, { length }: Uint32Array): number {
    const list = this.stores[LISTS_EACH * store + place] as number;
    if (list < length) return list;
    throw new SnapshotFormatError(`hours: a store has list ${list} of ${length}`);
  }
}
