/** When a store is open: by the clock, date by date, and at an instant. */
import {
  edgesOf,
  isOpen,
  isOpenByRows,
  isWithin,
  localTime,
  noonOf,
  packSchedule,
} from './opening-rule.ts';
import type { StoreHours } from './schedule.ts';
import { type Clock, clockOf, DAY } from './zone-clock.ts';

/** Numbers of the lists of one store. */
const WEEK = 0;
const LOW_WEEK = 1;
const LOW_SEASONS = 0;
const CLOSURES = 1;

/** Times of a local date, in milliseconds of its clock since midnight, `to` not included. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The plan of a store. Local dates are numbers of days since 1970-01-01.
 * @throws RangeError when the runtime does not know the time zone
 */
export function dayPlan({ temporal: { timezone, schedule } }: StoreHours) {
  const clock: Clock = clockOf(timezone);
  const { week, lowWeek, lowSeasons, closures } = packSchedule(schedule);
  const rows = [...week, ...lowWeek];
  const ranges = [...lowSeasons, ...closures];
  const rangeEnds = [lowSeasons.length, ranges.length];
  const lists = { rows, rowEnds: [week.length, rows.length], ranges, rangeEnds };
  /** Instants at which a closure begins, or has ended. */
  const closureEdges = closures.map((edge, index) => edge + (index % 2));
  /** Times of a date at which rows may open or close the store, in order, midnight among them. */
  const edges = [...new Set([0, DAY, ...edgesOf(rows)])].sort((one, other) => one - other);
  const weekOf = (date: number) =>
    isWithin(lists, LOW_SEASONS, noonOf(clock, date)) ? LOW_WEEK : WEEK;

  function isOpenAt(instant: number): boolean {
    return isOpen(lists, WEEK, LOW_WEEK, LOW_SEASONS, CLOSURES, localTime(clock, instant));
  }

  /** A later instant, up to which the store stays as it is at `instant`: open or closed. */
  function staysUntil(instant: number): number {
    const { offset, until } = clock.spanAt(instant);
    const midnight = Math.floor((instant + offset) / DAY) * DAY - offset;
    const later = [until, ...edges.map((time) => midnight + time), ...closureEdges];
    return Math.min(...later.filter((edge) => edge > instant));
  }

  /** When the store is open on `date`, closures aside: in order, neither overlapping nor touching. */
  function openOn(date: number): readonly Stretch[] {
    const [today, dayBefore] = [weekOf(date), weekOf(date - 1)];
    const stretches: Stretch[] = [];
    for (const [index, from] of edges.entries()) {
      const to = edges[index + 1];
      if (to === undefined || !isOpenByRows(lists, today, dayBefore, date, from)) continue;
      const last = stretches.at(-1);
      if (last?.to === from) stretches[stretches.length - 1] = { from: last.from, to };
      else stretches.push({ from, to });
    }
    return stretches;
  }

  return { clock, isOpenAt, staysUntil, openOn };
}
