/** When a store is open: by the clock, date by date, and at an instant. */
import {
  edgesOf,
  type HoursLists,
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

/** The plan of a store. Local dates are numbers of days since 1970-01-01. */
export class DayPlan {
  readonly clock: Clock;
  private readonly lists: HoursLists;
  /** Times of a date at which rows may open or close the store, in order, midnight among them. */
  private readonly edges: readonly number[];
  /** Instants at which a closure begins, or has ended. */
  private readonly closureEdges: readonly number[];

  /** @throws RangeError when the runtime does not know the time zone */
  constructor({ temporal: { timezone, schedule } }: StoreHours) {
    this.clock = clockOf(timezone);
    const { week, lowWeek, lowSeasons, closures } = packSchedule(schedule);
    const rows = [...week, ...lowWeek];
    const ranges = [...lowSeasons, ...closures];
    const rangeEnds = [lowSeasons.length, ranges.length];
    this.lists = { rows, rowEnds: [week.length, rows.length], ranges, rangeEnds };
    this.closureEdges = closures.map((edge, place) => edge + (place % 2));
    this.edges = [...new Set([0, DAY, ...edgesOf(rows)])].sort((one, other) => one - other);
  }

  isOpenAt(instant: number): boolean {
    const time = localTime(this.clock, instant);
    return isOpen(this.lists, WEEK, LOW_WEEK, LOW_SEASONS, CLOSURES, time);
  }

  /** A later instant, up to which the store stays as it is at `instant`: open or closed. */
  staysUntil(instant: number): number {
    const { offset, until } = this.clock.spanAt(instant);
    const midnight = Math.floor((instant + offset) / DAY) * DAY - offset;
    const edges = this.edges.map((time) => midnight + time);
    return Math.min(...[until, ...edges, ...this.closureEdges].filter((edge) => edge > instant));
  }

  /** When the store is open on `date`, closures aside: in order, neither overlapping nor touching. */
  openOn(date: number): readonly Stretch[] {
    const [today, dayBefore] = [this.weekOf(date), this.weekOf(date - 1)];
    const stretches: Stretch[] = [];
    for (const [index, from] of this.edges.entries()) {
      const to = this.edges[index + 1];
      if (to === undefined || !isOpenByRows(this.lists, today, dayBefore, date, from)) continue;
      const last = stretches.at(-1);
      if (last?.to === from) stretches[stretches.length - 1] = { from: last.from, to };
      else stretches.push({ from, to });
    }
    return stretches;
  }

  private weekOf(date: number): number {
    return isWithin(this.lists, LOW_SEASONS, noonOf(this.clock, date)) ? LOW_WEEK : WEEK;
  }
}
