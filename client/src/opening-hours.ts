/**
 * Whether a store is open, and when it opens and closes next.
 *
 * The rules are the service's own (its guide "Opening hours"): rows of a date count by what a clock in
 * the store shows, a time that daylight saving skips never comes, and one that it repeats counts
 * twice. A date that a zone left out altogether (Apia, 30 December 2011) is treated as skipped time.
 */
import { DAY, instantOf, localTime, MINUTE, noonOf } from '../../src/hours/clock.ts';
import {
  isOpen,
  isOpenByRows,
  nextChange,
  nextEdge,
  packClosure,
  packSchedule,
  type Schedule,
  type Schedules,
  type TimeRange,
  weekAt,
} from '../../src/hours/opening-rule.ts';
import { clockOf } from './zone-clock.ts';

/** How far `nextOpening` and `nextClosing` look, the last instant included. */
const HORIZON = 366 * DAY;

/**
 * The part of a store that opening hours need: any store that was asked for with
 * `fields: ['temporal']`, or with all fields.
 */
export interface StoreHours {
  readonly temporal: {
    /** IANA time zone. */
    readonly timezone: string;
    readonly schedule: Schedule;
  };
}

/** A local date of a store. */
export interface StoreDay {
  /** `YYYY-MM-DD`, as a calendar in the store has it. */
  readonly date: string;
  /** When the store is open by its clock, `closures` aside: in order, at least a minute apart. */
  readonly open: readonly OpenTime[];
  /** The closed ranges that have an instant of the date. */
  readonly closures: readonly TimeRange[];
}

/** `HH:mm` by the clock of the store; `to` is no longer open, and `24:00` at the end of the date. */
export interface OpenTime {
  readonly from: string;
  readonly to: string;
}

const DATES_OF_WEEK = 7;

/**
 * Returns the opening hours of seven dates.
 * @param first `YYYY-MM-DD`, as a calendar in the store has it
 * @throws RangeError when `first` is no date, or the runtime does not know the time zone
 */
export function weekOf(store: StoreHours, first: string): StoreDay[] {
  const { clock, schedules } = readHours(store);
  const start = dateNumber(first);
  return Array.from({ length: DATES_OF_WEEK }, (_, index) => {
    const date = start + index;
    const begin = instantOf(clock, date * DAY);
    const end = instantOf(clock, (date + 1) * DAY);
    const closures = store.temporal.schedule.closedRanges.filter((range) => {
      const [from, to] = packClosure(range);
      return from < end && begin <= to && from <= to;
    });
    const today = weekAt(schedules, STORE, noonOf(clock, date));
    const dayBefore = weekAt(schedules, STORE, noonOf(clock, date - 1));
    return { date: shownDate(date), open: openOn(schedules, today, dayBefore, date), closures };
  });
}

/**
 * Returns when a store is open on `date`, closures aside.
 * @param today list of rows that the date goes by, as the one before by `dayBefore`
 */
function openOn(schedules: Schedules, today: number, dayBefore: number, date: number): OpenTime[] {
  const times: OpenTime[] = [];
  let opened: number | null = null;
  for (let from = 0; from < DAY; from = nextEdge(schedules, STORE, from)) {
    const isOpening = isOpenByRows(schedules, today, dayBefore, date, from);
    if (isOpening) opened ??= from;
    else if (opened !== null) {
      times.push({ from: shownTime(opened), to: shownTime(from) });
      opened = null;
    }
  }
  if (opened !== null) times.push({ from: shownTime(opened), to: shownTime(DAY) });
  return times;
}

function dateNumber(text: string): number {
  const time = Date.parse(`${text}T00:00Z`);
  if (!Number.isNaN(time) && shownDate(time / DAY) === text) return time / DAY;
  throw new RangeError('The date is not one, written YYYY-MM-DD.');
}

const shownDate = (date: number): string => new Date(date * DAY).toISOString().slice(0, 10);

function shownTime(time: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const minutes = time / MINUTE;
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/**
 * Returns whether the store is open at `instant`.
 * @throws RangeError when `instant` is an invalid date, or the runtime does not know the time zone
 */
export function isOpenAt(store: StoreHours, instant: Date): boolean {
  const { clock, schedules } = readHours(store);
  return isOpen(schedules, STORE, localTime(clock, timeOf(instant)));
}

/**
 * Returns the first instant, the given one or a later one, at which the store is open; null where there is
 * none within 366 days.
 * @throws RangeError when `instant` is an invalid date, or the runtime does not know the time zone
 */
export function nextOpening(store: StoreHours, instant: Date): Date | null {
  return firstInstant(store, instant, true);
}

/**
 * Returns the first instant, the given one or a later one, at which the store is closed; null where there is
 * none within 366 days.
 * @throws RangeError when `instant` is an invalid date, or the runtime does not know the time zone
 */
export function nextClosing(store: StoreHours, instant: Date): Date | null {
  return firstInstant(store, instant, false);
}

function firstInstant(store: StoreHours, instant: Date, open: boolean): Date | null {
  const start = timeOf(instant);
  const { clock, schedules } = readHours(store);
  const local = localTime(clock, start);
  if (isOpen(schedules, STORE, local) === open) return new Date(start);
  const next = nextChange(schedules, STORE, clock, local, start + HORIZON);
  return next === null ? null : new Date(next);
}

/** The one store of its schedules. */
const STORE = 0;

/** Reads the hours of a store. @throws RangeError when the runtime does not know the time zone */
function readHours({ temporal: { timezone, schedule } }: StoreHours) {
  const { week, lowWeek, lowSeasons, closures } = packSchedule(schedule);
  const rows = [...week, ...lowWeek];
  const ranges = [...lowSeasons, ...closures];
  const schedules: Schedules = {
    rows,
    rowEnds: [week.length, rows.length],
    ranges,
    rangeEnds: [lowSeasons.length, ranges.length],
    stores: [0, 1, 0, 1],
  };
  return { clock: clockOf(timezone), schedules };
}

function timeOf(instant: Date): number {
  const time = instant.getTime();
  if (Number.isNaN(time)) throw new RangeError('The date is invalid.');
  return time;
}
