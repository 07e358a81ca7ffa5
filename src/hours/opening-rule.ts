/**
 * The rule of opening hours (guide "Opening hours"), over numbers: the index holds the lists of all
 * stores as columns, and the client makes them of one store.
 *
 * A list of rows is a run of `rows`, each of which is one number:
 *
 *     bits     what
 *     0 … 10   from, minutes of the day
 *     11 … 21  to, minutes, 1440 at the end of the date; not after `from`: on the next date
 *     22 … 24  weekday, 0 = Sunday … 6 = Saturday, 7 = every day
 *     25       1: open, 0: closed
 *
 * A list of ranges is a run of `ranges`, in which the first and last instant of each follow each other,
 * in milliseconds since 1970.
 */
import type { Schedule, ScheduleRow, TimeRange } from './schedule.ts';
import { type Clock, DAY, instantOf, MINUTE } from './zone-clock.ts';

const TIME_BITS = 11;
const TIME_MASK = (1 << TIME_BITS) - 1;
const DAY_SHIFT = 2 * TIME_BITS;
const EVERY_DAY = 7;
const OPEN_BIT = 1 << (DAY_SHIFT + 3);

const NOON = DAY / 2;
/** As `to`, the end of the date. */
const LAST_MINUTE = '23:59';

/** What rows that cover an instant say of it. */
const OPENED = 1;
const CLOSED = 2;

/** A schedule as lists of numbers. */
export interface PackedSchedule {
  /** Rows outside of the low season. */
  readonly week: readonly number[];
  readonly lowWeek: readonly number[];
  readonly lowSeasons: readonly number[];
  readonly closures: readonly number[];
}

export function packSchedule(schedule: Schedule): PackedSchedule {
  return {
    week: schedule.openingHours.map(packRow),
    lowWeek: schedule.openingHoursLowSeason.map(packRow),
    lowSeasons: schedule.lowSeasonRanges.flatMap(packRange),
    closures: schedule.closedRanges.flatMap(packRange),
  };
}

function packRow({ day, from, to, open }: ScheduleRow): number {
  const weekday = day === '*' ? EVERY_DAY : Number(day);
  const end = to === LAST_MINUTE ? DAY / MINUTE : minutesOf(to);
  const times = minutesOf(from) | (end << TIME_BITS);
  return times | (weekday << DAY_SHIFT) | (open ? OPEN_BIT : 0);
}

/** Of `HH:mm`. */
function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
}

export function packRange({ from, to }: TimeRange): [number, number] {
  return [readInstant(from), readInstant(to)];
}

/** Instants count in milliseconds: what is finer is cut, as not every runtime reads it. */
function readInstant(timestamp: string): number {
  return Date.parse(timestamp.replace(/(\.\d{3})\d+/, '$1'));
}

/** Lists of rows and of ranges, by their numbers. */
export interface HoursLists {
  readonly rows: ArrayLike<number>;
  /** Where each list of rows ends. */
  readonly rowEnds: ArrayLike<number>;
  readonly ranges: ArrayLike<number>;
  /** Where each list of ranges ends. */
  readonly rangeEnds: ArrayLike<number>;
}

/** What a clock in a zone shows at an instant. Dates are numbers of days since 1970-01-01. */
export interface LocalTime {
  readonly instant: number;
  readonly date: number;
  /** Milliseconds of the date that have passed by the clock. */
  readonly time: number;
  /** The noon of the date, and that of the date before. */
  readonly noon: number;
  readonly noonBefore: number;
}

export function localTime(clock: Clock, instant: number): LocalTime {
  const local = instant + clock.spanAt(instant).offset;
  const date = Math.floor(local / DAY);
  const time = local - date * DAY;
  return { instant, date, time, noon: noonOf(clock, date), noonBefore: noonOf(clock, date - 1) };
}

/** The season of a date is that of its noon. */
export function noonOf(clock: Clock, date: number): number {
  return instantOf(clock, date * DAY + NOON);
}

/**
 * Whether a store is open, which has these lists.
 * @param week list of rows, as `lowWeek`
 * @param lowSeasons list of ranges, as `closures`
 */
export function isOpen(
  lists: HoursLists,
  week: number,
  lowWeek: number,
  lowSeasons: number,
  closures: number,
  { instant, date, time, noon, noonBefore }: LocalTime,
): boolean {
  if (isWithin(lists, closures, instant)) return false;
  const today = isWithin(lists, lowSeasons, noon) ? lowWeek : week;
  const dayBefore = isWithin(lists, lowSeasons, noonBefore) ? lowWeek : week;
  return isOpenByRows(lists, today, dayBefore, date, time);
}

/** Whether the rows of a date, and those of the date before that run on, open the store at a time. */
export function isOpenByRows(
  lists: HoursLists,
  today: number,
  dayBefore: number,
  date: number,
  time: number,
): boolean {
  const weekday = weekdayOf(date);
  const said =
    sayRows(lists, today, weekday, time, false) |
    sayRows(lists, dayBefore, (weekday + 6) % 7, time, true);
  return said === OPENED;
}

/** What the rows that begin on a weekday say of a time of that date, or of the next one. */
function sayRows(
  { rows, rowEnds }: HoursLists,
  list: number,
  weekday: number,
  time: number,
  isOfNextDate: boolean,
): number {
  const end = rowEnds[list] as number;
  let said = 0;
  for (let index = list === 0 ? 0 : (rowEnds[list - 1] as number); index < end; index++) {
    const row = rows[index] as number;
    const day = (row >> DAY_SHIFT) & EVERY_DAY;
    if (day !== weekday && day !== EVERY_DAY) continue;
    const from = (row & TIME_MASK) * MINUTE;
    const to = ((row >> TIME_BITS) & TIME_MASK) * MINUTE;
    const runsOn = to <= from;
    const covers = isOfNextDate ? runsOn && time < to : from <= time && (runsOn || time < to);
    if (covers) said |= row & OPEN_BIT ? OPENED : CLOSED;
  }
  return said;
}

/** Whether an instant lies in one of the ranges of a list, ends included. */
export function isWithin(
  { ranges, rangeEnds }: HoursLists,
  list: number,
  instant: number,
): boolean {
  const end = rangeEnds[list] as number;
  for (let index = list === 0 ? 0 : (rangeEnds[list - 1] as number); index < end; index += 2) {
    if ((ranges[index] as number) <= instant && instant <= (ranges[index + 1] as number))
      return true;
  }
  return false;
}

/** Times at which rows begin or end, in milliseconds of the date. */
export function edgesOf(rows: readonly number[]): number[] {
  return rows.flatMap((row) => [
    (row & TIME_MASK) * MINUTE,
    ((row >> TIME_BITS) & TIME_MASK) * MINUTE,
  ]);
}

/** 0 = Sunday … 6 = Saturday. */
function weekdayOf(date: number): number {
  // 1970-01-01 was a Thursday.
  return (((date + 4) % 7) + 7) % 7;
}
