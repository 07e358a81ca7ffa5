/** When a store is open: by the clock, date by date, and at an instant. */
import {
  edgesOf,
  type HoursLists,
  isOpenByRows,
  isWithin,
  noonOf,
  packRange,
  packSchedule,
} from './opening-rule.ts';
import type { StoreHours } from './schedule.ts';
import { type Clock, clockOf, DAY } from './zone-clock.ts';

/** Numbers of the lists of one store. */
const WEEK = 0;
const LOW_WEEK = 1;
const LOW_SEASONS = 0;

/** Times of a local date, in milliseconds of its clock since midnight, `to` not included. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Whether a store is open, and an instant up to which that stays so, itself not included. */
interface State {
  readonly open: boolean;
  readonly until: number;
}

/** The plan of a store. Local dates are numbers of days since 1970-01-01. */
export class DayPlan {
  readonly clock: Clock;
  private readonly lists: HoursLists;
  private readonly closures: readonly (readonly [from: number, to: number])[];
  /** Times of a date at which the store may open or close, in order, midnight among them. */
  private readonly edges: readonly number[];

  /** @throws RangeError when the runtime does not know the time zone */
  constructor({ temporal: { timezone, schedule } }: StoreHours) {
    this.clock = clockOf(timezone);
    const { week, lowWeek, lowSeasons } = packSchedule(schedule);
    const rows = [...week, ...lowWeek];
    this.lists = {
      rows,
      rowEnds: [week.length, rows.length],
      ranges: lowSeasons,
      rangeEnds: [lowSeasons.length],
    };
    this.closures = schedule.closedRanges.map(packRange);
    this.edges = [...new Set([0, DAY, ...edgesOf(rows)])].sort((one, other) => one - other);
  }

  stateAt(instant: number): State {
    let nextClosure = Number.POSITIVE_INFINITY;
    for (const [from, to] of this.closures) {
      if (from <= instant && instant <= to) return { open: false, until: to + 1 };
      if (instant < from && from <= to) nextClosure = Math.min(nextClosure, from);
    }
    const { open, until } = this.stateByRows(instant);
    return { open, until: Math.min(until, nextClosure) };
  }

  /** The state without closures. It lasts until the clock shows other hours, or is changed itself. */
  private stateByRows(instant: number): State {
    const { offset, until } = this.clock.spanAt(instant);
    const date = Math.floor((instant + offset) / DAY);
    const midnight = date * DAY - offset;
    const time = instant - midnight;
    for (const { from, to } of this.openOn(date)) {
      if (time < from) return { open: false, until: Math.min(until, midnight + from) };
      if (time < to) return { open: true, until: Math.min(until, midnight + to) };
    }
    return { open: false, until: Math.min(until, midnight + DAY) };
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
