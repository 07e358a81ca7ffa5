/**
 * The part `hours`: the schedules of n stores, as `hours/opening-rule.ts` reads them. Lists that several
 * stores have are written once. Of w lists of rows with r rows in all, and k lists with g ranges in all:
 *
 *     section  content
 *     0        rows       u32 × r
 *     1        rowEnds    u32 × w, where each list of rows ends in `rows`
 *     2        ranges     f64 × 2·g, first and last instant in turn
 *     3        rangeEnds  u32 × k, where each list of ranges ends in `ranges`
 *     4        changes    f64 × 2·c, of each zone in turn: an instant, and how many milliseconds its clocks
 *                         are ahead of UTC from then on; the first of a zone is for all before, too
 *     5        zoneEnds   u32 × z, where each zone ends in `changes`
 *     6        stores     numbers × 5·n, of each store: its week, its week in the low season, its low
 *                         seasons, its closures, its zone
 *
 * With z zones, which change c times in all. The offsets of zones lie here because a runtime takes as long to
 * look up its first one as all else that a search for open stores does.
 */
import { type Clock, DAY, type LocalTime, localTime } from '../hours/clock.ts';
import {
  isOpen,
  NUMBERS_EACH,
  nextChange,
  type PackedSchedule,
  type Schedules,
  ZONE,
} from '../hours/opening-rule.ts';
import {
  type ColumnFile,
  columnPart,
  DistinctLists,
  endsOf,
  lowerBound,
  numberColumn,
  writeColumnFile,
} from './column-file.ts';
import { hexadecimalHash } from './hash.ts';

export const HOURS_PART = columnPart('hours', 7, readHours);

/** Instants that may be asked about: from the first on, before the second. */
export const HOURS_FROM = Date.parse('2000-01-01T00:00Z');
export const HOURS_UNTIL = Date.parse('2101-01-01T00:00Z');

/** How far the next change is looked for, the last instant included. */
export const HORIZON = 8 * DAY;

/**
 * Writes the part of the schedules of stores, in ordinal order.
 * @param zones of each zone, instants and offsets in turn: see `changes`
 */
export function writeHours(
  schedules: readonly (PackedSchedule & { readonly zone: number })[],
  zones: readonly (readonly number[])[],
): Uint8Array<ArrayBuffer> {
  const rows = new DistinctLists();
  const ranges = new DistinctLists();
  const stores = schedules.flatMap(({ week, lowWeek, lowSeasons, closures, zone }) => [
    rows.number(week),
    rows.number(lowWeek),
    ranges.number(lowSeasons),
    ranges.number(closures),
    zone,
  ]);
  return writeColumnFile([
    Uint32Array.from(rows.all.flat()),
    endsOf(rows.all),
    Float64Array.from(ranges.all.flat()),
    endsOf(ranges.all),
    Float64Array.from(zones.flat()),
    endsOf(zones),
    numberColumn(stores, Math.max(rows.all.length, ranges.all.length, zones.length)),
  ]);
}

/** Reads the part in place, and checks its layout. @throws SnapshotFormatError */
function readHours(file: ColumnFile, storeCount: number) {
  const rowEnds = file.u32(1);
  const rangeEnds = file.u32(3);
  const changes = file.f64(4);
  const zoneEnds = file.u32(5);
  const most = Math.max(rowEnds.length, rangeEnds.length, zoneEnds.length);
  const schedules: Schedules = {
    rows: file.u32(0),
    rowEnds,
    ranges: file.f64(2),
    rangeEnds,
    stores: file.numbers(6, NUMBERS_EACH * storeCount, most),
  };
  const zoneOf = (store: number) => schedules.stores[NUMBERS_EACH * store + ZONE] as number;

  /**
   * Builds a function that reads what clocks in the zone of a store show at an instant: once for each
   * zone, and only for zones of stores that are asked about.
   */
  function localTimes(instant: number): (store: number) => LocalTime {
    const times: LocalTime[] = [];
    return (store) => {
      const zone = zoneOf(store);
      times[zone] ??= localTime(clockIn(zone), instant);
      return times[zone];
    };
  }

  /** Builds a function that returns whether a store is open at each of some instants. */
  function openTest(instants: readonly number[]): (store: number) => boolean {
    const times = instants.map(localTimes);
    return (store) => times.every((timeAt) => isOpen(schedules, store, timeAt(store)));
  }

  /**
   * Builds a function that returns whether a store is open at an instant, and when that changes; null
   * where it does not until the horizon.
   */
  function openingsAt(instant: number) {
    const timeAt = localTimes(instant);
    return (store: number) => {
      const local = timeAt(store);
      const clock = clockIn(zoneOf(store));
      return {
        isOpen: isOpen(schedules, store, local),
        nextChange: nextChange(schedules, store, clock, local, instant + HORIZON),
      };
    };
  }

  const zoneHashes: string[] = [];

  /** Returns a hash of the clock changes in the zone of a store. */
  function zoneHash(store: number): string {
    const zone = zoneOf(store);
    zoneHashes[zone] ??= hexadecimalHash(changes.subarray(startOf(zone), zoneEnds[zone]).join());
    return zoneHashes[zone];
  }

  const startOf = (zone: number) => zoneEnds[zone - 1] ?? 0;

  /** Makes the clock of a zone, for the instants that may be asked about. */
  function clockIn(zone: number): Clock {
    // The offset of the first change also holds for all time before.
    const first = startOf(zone) + 2;
    const count = ((zoneEnds[zone] as number) - first) / 2;
    return {
      spanAt(instant) {
        const passed = lowerBound(
          count,
          (index) => (changes[first + 2 * index] as number) <= instant,
        );
        const until = passed < count ? (changes[first + 2 * passed] as number) : Infinity;
        return { offset: changes[first + 2 * passed - 1] as number, until };
      },
    };
  }

  return { openTest, openingsAt, zoneHash, clockIn };
}
