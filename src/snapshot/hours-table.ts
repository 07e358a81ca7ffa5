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
import { isOpen, type LocalTime, localTime, type PackedSchedule } from '../hours/opening-rule.ts';
import type { Clock } from '../hours/zone-clock.ts';
import {
  ColumnFile,
  DistinctLists,
  endsOf,
  numberColumn,
  type Part,
  writeColumnFile,
} from './column-file.ts';

export const HOURS_PART = { name: 'hours', read: readHours } satisfies Part;

const SECTION_COUNT = 7;
const NUMBERS_EACH = 5;

/** Instants that may be asked about: from the first on, before the second. */
export const HOURS_FROM = Date.parse('2000-01-01T00:00Z');
export const HOURS_UNTIL = Date.parse('2101-01-01T00:00Z');

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
function readHours(part: ArrayBuffer, storeCount: number) {
  const file = new ColumnFile('hours', part, SECTION_COUNT);
  const rowEnds = file.u32(1);
  const rangeEnds = file.u32(3);
  const lists = { rows: file.u32(0), rowEnds, ranges: file.f64(2), rangeEnds };
  const changes = file.f64(4);
  const zoneEnds = file.u32(5);
  const most = Math.max(rowEnds.length, rangeEnds.length, zoneEnds.length);
  const stores = file.numbers(6, NUMBERS_EACH * storeCount, most);

  /**
   * Tells of a store whether it is open at an instant. Clocks are read once for a zone, and only for zones
   * and schedules of stores that are asked about.
   */
  function openTest(instant: number): (store: number) => boolean {
    /** By the number of the zone. */
    const times: LocalTime[] = [];
    return (store) => {
      const first = NUMBERS_EACH * store;
      const zone = stores[first + 4] as number;
      times[zone] ??= localTime(clockIn(zone), instant);
      return isOpen(
        lists,
        stores[first] as number,
        stores[first + 1] as number,
        stores[first + 2] as number,
        stores[first + 3] as number,
        times[zone],
      );
    };
  }

  /** What clocks in a zone show around the instants that may be asked about. */
  function clockIn(zone: number): Clock {
    const [start, end] = [zoneEnds[zone - 1] ?? 0, zoneEnds[zone] as number];
    return {
      spanAt(instant) {
        let next = start + 2;
        while (next < end && (changes[next] as number) <= instant) next += 2;
        const until = next < end ? (changes[next] as number) : Number.POSITIVE_INFINITY;
        return { offset: changes[next - 1] as number, until };
      },
    };
  }

  return { openTest, clockIn };
}
