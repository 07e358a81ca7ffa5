/** When a store is open by the clock, date by date, closures aside. */
import {
  edgesOf,
  type HoursLists,
  isOpen,
  isOpenByRows,
  isWithin,
  type LocalTime,
  noonOf,
  packSchedule,
} from './opening-rule.ts';
import type { Schedule } from './schedule.ts';
import { DAY, type ZoneClock } from './zone-clock.ts';

/** Numbers of the lists of one store. */
const WEEK = 0;
const LOW_WEEK = 1;
const LOW_SEASONS = 0;
const CLOSURES = 1;

/** Times of a local date, in milliseconds of its clock since midnight, `to` not included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The plan of a store. Local dates are numbers of days since 1970-01-01. */
export class DayPlan {
  private readonly clock: ZoneClock;
  private readonly lists: HoursLists;
  /** Times of a date at which the store may open or close, in order, midnight among them. */
  private readonly edges: readonly number[];
  private readonly dates = new Map<number, readonly Stretch[]>();

  constructor(schedule: Schedule, clock: ZoneClock) {
    this.clock = clock;
    const { week, lowWeek, lowSeasons, closures } = packSchedule(schedule);
    const rows = [...week, ...lowWeek];
    const ranges = [...lowSeasons, ...closures];
    this.lists = {
      rows,
      rowEnds: [week.length, rows.length],
      ranges,
      rangeEnds: [lowSeasons.length, ranges.length],
    };
    this.edges = [...new Set([0, DAY, ...edgesOf(rows)])].sort((one, other) => one - other);
  }

  isOpen(at: LocalTime): boolean {
    return isOpen(this.lists, WEEK, LOW_WEEK, LOW_SEASONS, CLOSURES, at);
  }

  /** When the store is open on `date`: in order, neither overlapping nor touching. */
  openOn(date: number): readonly Stretch[] {
    let stretches = this.dates.get(date);
    if (!stretches) {
      stretches = this.planDate(date);
      this.dates.set(date, stretches);
    }
    return stretches;
  }

  private planDate(date: number): readonly Stretch[] {
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
