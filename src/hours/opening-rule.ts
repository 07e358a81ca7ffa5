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
import { type Clock, DAY, type LocalTime, localTime, MINUTE } from './clock.ts';

const SECOND = 1000;
const TIME_BITS = 11;
const TIME_MASK = (1 << TIME_BITS) - 1;
const DAY_SHIFT = 2 * TIME_BITS;
const EVERY_DAY = 7;
const OPEN_BIT = 1 << (DAY_SHIFT + 3);

/** As `to`, the end of the date. */
const LAST_MINUTE = '23:59';

/** What rows that cover an instant say of it. */
const OPENED = 1;
const CLOSED = 2;

/** Opening hours of a store, as answers have them. */
export interface Schedule {
  /** Outside of the low season. */
  readonly openingHours: readonly ScheduleRow[];
  /** In the low season. */
  readonly openingHoursLowSeason: readonly ScheduleRow[];
  readonly lowSeasonRanges: readonly TimeRange[];
  readonly closedRanges: readonly TimeRange[];
}

export interface ScheduleRow {
  /** 0 = Sunday … 6 = Saturday, * = every day, beside the rows of a weekday. */
  readonly day: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '*';
  /** HH:mm, 24-hour. */
  readonly from: string;
  /** HH:mm, 24-hour; 23:59 is the end of the date, and a time not after `from` is on the next. */
  readonly to: string;
  readonly open: boolean;
}

/** Timestamps with `Z` or an offset, both included. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** A schedule as lists of numbers. */
export type PackedSchedule = ReturnType<typeof packSchedule>;

export function packSchedule(schedule: Schedule) {
  return {
    /** Rows outside of the low season. */
    week: schedule.openingHours.map(packRow),
    lowWeek: schedule.openingHoursLowSeason.map(packRow),
    lowSeasons: schedule.lowSeasonRanges.flatMap(packRange),
    closures: schedule.closedRanges.flatMap(packClosure),
  };
}

function packRow({ day, from, to, open }: ScheduleRow): number {
  const weekday = day === '*' ? EVERY_DAY : Number(day);
  const end = to === LAST_MINUTE ? DAY / MINUTE : minutesOf(to);
  const times = minutesOf(from) | (end << TIME_BITS);
  return times | (weekday << DAY_SHIFT) | (open ? OPEN_BIT : 0);
}

/** Returns the minutes of the day of `HH:mm`. */
function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
}

function packRange({ from, to }: TimeRange): [number, number] {
  return [readInstant(from), readInstant(to)];
}

/**
 * Returns the first and the last instant of a closure. The last second counts as a whole: a closure
 * until 23:59:59 leaves no gap before midnight. A closure that ends before it begins has no instant.
 */
export function packClosure(range: TimeRange): [number, number] {
  const [from, to] = packRange(range);
  return [from, from <= to ? Math.floor(to / SECOND) * SECOND + SECOND - 1 : to];
}

/** Returns an instant in milliseconds. Finer digits are cut, as not every runtime reads them. */
function readInstant(timestamp: string): number {
  return Date.parse(timestamp.replace(/(\.\d{3})\d+/, '$1'));
}

/** The schedules of some stores. Lists of rows and of ranges are known by their numbers. */
export interface Schedules {
  readonly rows: ArrayLike<number>;
  /** Where each list of rows ends. */
  readonly rowEnds: ArrayLike<number>;
  readonly ranges: ArrayLike<number>;
  /** Where each list of ranges ends. */
  readonly rangeEnds: ArrayLike<number>;
  /** Of each store `NUMBERS_EACH`: its lists, in the order of these constants, and its zone. */
  readonly stores: ArrayLike<number>;
}

export const NUMBERS_EACH = 5;
const WEEK = 0;
const LOW_WEEK = 1;
const LOW_SEASONS = 2;
const CLOSURES = 3;
export const ZONE = 4;

const listOf = ({ stores }: Schedules, store: number, which: number): number =>
  stores[NUMBERS_EACH * store + which] as number;

const startOf = (ends: ArrayLike<number>, list: number): number =>
  list === 0 ? 0 : (ends[list - 1] as number);

/** Returns whether a store is open. */
export function isOpen(
  schedules: Schedules,
  store: number,
  { instant, date, time, noon, noonBefore }: LocalTime,
): boolean {
  if (isWithin(schedules, listOf(schedules, store, CLOSURES), instant)) return false;
  const today = weekAt(schedules, store, noon);
  return isOpenByRows(schedules, today, weekAt(schedules, store, noonBefore), date, time);
}

/** Returns the number of the list of rows for a date. Its noon decides whether it is in the low season. */
export function weekAt(schedules: Schedules, store: number, noon: number): number {
  const isLow = isWithin(schedules, listOf(schedules, store, LOW_SEASONS), noon);
  return listOf(schedules, store, isLow ? LOW_WEEK : WEEK);
}

/**
 * Returns the first instant after `local` at which a store is otherwise, open or closed; null
 * where there is none up to `last`, which is included.
 */
export function nextChange(
  schedules: Schedules,
  store: number,
  clock: Clock,
  local: LocalTime,
  last: number,
): number | null {
  const wasOpen = isOpen(schedules, store, local);
  let next = staysUntil(schedules, store, local);
  while (next <= last) {
    const then = localTime(clock, next);
    if (isOpen(schedules, store, then) !== wasOpen) return next;
    next = staysUntil(schedules, store, then);
  }
  return null;
}

/**
 * Returns the first instant after `local` at which a store may be otherwise: until then it
 * stays as it is, open or closed.
 */
function staysUntil(schedules: Schedules, store: number, local: LocalTime): number {
  const { ranges, rangeEnds } = schedules;
  const { instant, time, until } = local;
  const closures = listOf(schedules, store, CLOSURES);
  const end = rangeEnds[closures] as number;
  let next = Math.min(until, instant + nextEdge(schedules, store, time) - time);
  for (let index = startOf(rangeEnds, closures); index < end; index += 2) {
    const from = ranges[index] as number;
    const after = (ranges[index + 1] as number) + 1;
    if (from > instant && from < next) next = from;
    if (after > instant && after < next) next = after;
  }
  return next;
}

/** Returns the first time of a date after `time` at which rows may begin or end; its end at the latest. */
export function nextEdge(schedules: Schedules, store: number, time: number): number {
  const { rows, rowEnds } = schedules;
  let next = DAY;
  for (let which = WEEK; which <= LOW_WEEK; which++) {
    const list = listOf(schedules, store, which);
    const end = rowEnds[list] as number;
    for (let index = startOf(rowEnds, list); index < end; index++) {
      const from = fromOf(rows[index] as number);
      const to = toOf(rows[index] as number);
      if (from > time && from < next) next = from;
      if (to > time && to < next) next = to;
    }
  }
  return next;
}

const fromOf = (row: number): number => (row & TIME_MASK) * MINUTE;
const toOf = (row: number): number => ((row >> TIME_BITS) & TIME_MASK) * MINUTE;

/** Returns whether the rows of a date, and the rows that run on from the date before, open a store at a time. */
export function isOpenByRows(
  schedules: Schedules,
  today: number,
  dayBefore: number,
  date: number,
  time: number,
): boolean {
  const weekday = weekdayOf(date);
  const said =
    sayRows(schedules, today, weekday, time, false) |
    sayRows(schedules, dayBefore, (weekday + 6) % 7, time, true);
  return said === OPENED;
}

/** Returns what the rows that begin on a weekday say of a time of that date, or of the next one. */
function sayRows(
  { rows, rowEnds }: Schedules,
  list: number,
  weekday: number,
  time: number,
  isOfNextDate: boolean,
): number {
  const end = rowEnds[list] as number;
  let said = 0;
  for (let index = startOf(rowEnds, list); index < end; index++) {
    const row = rows[index] as number;
    const day = (row >> DAY_SHIFT) & EVERY_DAY;
    if (day !== weekday && day !== EVERY_DAY) continue;
    const from = fromOf(row);
    const to = toOf(row);
    const runsOn = to <= from;
    const covers = isOfNextDate ? runsOn && time < to : from <= time && (runsOn || time < to);
    if (covers) said |= row & OPEN_BIT ? OPENED : CLOSED;
  }
  return said;
}

/** Returns whether an instant lies in one of the ranges of a list, ends included. */
function isWithin({ ranges, rangeEnds }: Schedules, list: number, instant: number): boolean {
  const end = rangeEnds[list] as number;
  for (let index = startOf(rangeEnds, list); index < end; index += 2) {
    if ((ranges[index] as number) <= instant && instant <= (ranges[index + 1] as number))
      return true;
  }
  return false;
}

/** Returns the weekday of a date: 0 = Sunday … 6 = Saturday. */
function weekdayOf(date: number): number {
  // 1970-01-01 was a Thursday.
  return (((date + 4) % 7) + 7) % 7;
}
