/** When a store is open by the clock, date by date, closures aside. */
import type { Schedule, ScheduleRow, TimeRange } from './schedule.ts';
import { DAY, MINUTE, type ZoneClock } from './zone-clock.ts';

const NOON = DAY / 2;
/** As `to`, the end of the date. */
const LAST_MINUTE = '23:59';

/** Times of a local date, in milliseconds of its clock since midnight, `to` not included. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A row, cut at midnight. */
interface RowParts {
  readonly open: boolean;
  readonly today: Stretch;
  /** What of it lies on the next date; null when it ends before midnight. */
  readonly tomorrow: Stretch | null;
}

/** An inclusive range of instants. */
export interface InstantRange {
  readonly from: number;
  readonly to: number;
}

/** The plan of a store. Local dates are numbers of days since 1970-01-01. */
export class DayPlan {
  private readonly schedule: Schedule;
  private readonly clock: ZoneClock;
  private readonly lowSeasons: readonly InstantRange[];
  private readonly rows = new Map<string, readonly RowParts[]>();
  private readonly dates = new Map<number, readonly Stretch[]>();

  constructor(schedule: Schedule, clock: ZoneClock) {
    this.schedule = schedule;
    this.clock = clock;
    this.lowSeasons = readRanges(schedule.lowSeasonRanges);
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
    const opened: Stretch[] = [];
    const closed: Stretch[] = [];
    for (const { open, today } of this.rowsOf(date)) (open ? opened : closed).push(today);
    for (const { open, tomorrow } of this.rowsOf(date - 1)) {
      if (tomorrow) (open ? opened : closed).push(tomorrow);
    }
    return without(opened, closed);
  }

  /** The rows that begin on `date`: those of its weekday and those of every day. */
  private rowsOf(date: number): readonly RowParts[] {
    const weekday = String(weekdayOf(date));
    const isLow = this.isLowSeason(date);
    const key = `${isLow} ${weekday}`;
    let parts = this.rows.get(key);
    if (!parts) {
      const { openingHours, openingHoursLowSeason } = this.schedule;
      const list = isLow ? openingHoursLowSeason : openingHours;
      parts = list.filter(({ day }) => day === weekday || day === '*').map(cutAtMidnight);
      this.rows.set(key, parts);
    }
    return parts;
  }

  /** The season of a date is that of its noon. */
  isLowSeason(date: number): boolean {
    if (this.lowSeasons.length === 0) return false;
    const noon = this.clock.instantOf(date * DAY + NOON);
    return this.lowSeasons.some(({ from, to }) => from <= noon && noon <= to);
  }
}

/** 0 = Sunday … 6 = Saturday. */
export function weekdayOf(date: number): number {
  // 1970-01-01 was a Thursday.
  return (((date + 4) % 7) + 7) % 7;
}

/** Ranges of timestamps as instants. */
export function readRanges(ranges: readonly TimeRange[]): InstantRange[] {
  return ranges.map(({ from, to }) => ({ from: readInstant(from), to: readInstant(to) }));
}

/** Instants count in milliseconds: what is finer is cut, as not every runtime reads it. */
function readInstant(timestamp: string): number {
  return Date.parse(timestamp.replace(/(\.\d{3})\d+/, '$1'));
}

function cutAtMidnight({ from, to, open }: ScheduleRow): RowParts {
  const start = timeOfDay(from);
  const end = to === LAST_MINUTE ? DAY : timeOfDay(to);
  if (end > start) return { open, today: { from: start, to: end }, tomorrow: null };
  return { open, today: { from: start, to: DAY }, tomorrow: { from: 0, to: end } };
}

/** `HH:mm` in milliseconds. */
function timeOfDay(text: string): number {
  return (Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))) * MINUTE;
}

/** What `opened` covers and `closed` does not. */
function without(opened: readonly Stretch[], closed: readonly Stretch[]): Stretch[] {
  const edges = [...new Set([...opened, ...closed].flatMap(({ from, to }) => [from, to]))];
  edges.sort((one, other) => one - other);
  const result: Stretch[] = [];
  for (const [index, from] of edges.entries()) {
    const to = edges[index + 1];
    if (to === undefined || !covers(opened, from) || covers(closed, from)) continue;
    const last = result.at(-1);
    if (last?.to === from) result[result.length - 1] = { from: last.from, to };
    else result.push({ from, to });
  }
  return result;
}

function covers(stretches: readonly Stretch[], time: number): boolean {
  return stretches.some(({ from, to }) => from <= time && time < to);
}
