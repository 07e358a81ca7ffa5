/**
 * Whether a store is open, and when it opens and closes next.
 *
 * The rules are the service's own (its guide "Opening hours"): rows of a date count by what a clock in
 * the store shows, a time that daylight saving skips never comes, and one that it repeats counts
 * twice. A date that a zone left out altogether (Apia, 30 December 2011) is treated as skipped time.
 */
import { dayPlan } from './day-plan.ts';
import { packRange } from './opening-rule.ts';
import type { StoreHours, TimeRange } from './schedule.ts';
import { DAY, instantOf, MINUTE } from './zone-clock.ts';

/** How far `nextOpening` and `nextClosing` look, the last instant included. */
const HORIZON = 366 * DAY;

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
 * The opening hours of seven dates.
 * @param first `YYYY-MM-DD`, as a calendar in the store has it
 * @throws RangeError when `first` is no date, or the runtime does not know the time zone
 */
export function weekOf(store: StoreHours, first: string): StoreDay[] {
  const plan = dayPlan(store);
  const { clock } = plan;
  const start = dateNumber(first);
  return Array.from({ length: DATES_OF_WEEK }, (_, index) => {
    const date = start + index;
    const begin = instantOf(clock, date * DAY);
    const end = instantOf(clock, (date + 1) * DAY);
    const closures = store.temporal.schedule.closedRanges.filter((range) => {
      const [from, to] = packRange(range);
      return from < end && begin <= to && from <= to;
    });
    const open = plan
      .openOn(date)
      .map(({ from, to }) => ({ from: shownTime(from), to: shownTime(to) }));
    return { date: shownDate(date), open, closures };
  });
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
 * Whether the store is open at `instant`.
 * @throws RangeError when `instant` is an invalid date, or the runtime does not know the time zone
 */
export function isOpenAt(store: StoreHours, instant: Date): boolean {
  return dayPlan(store).isOpenAt(timeOf(instant));
}

/**
 * The first instant, the given one or a later one, at which the store is open; null where there is
 * none within 366 days.
 * @throws RangeError when `instant` is an invalid date, or the runtime does not know the time zone
 */
export function nextOpening(store: StoreHours, instant: Date): Date | null {
  return firstInstant(store, instant, true);
}

/**
 * The first instant, the given one or a later one, at which the store is closed; null where there is
 * none within 366 days.
 * @throws RangeError when `instant` is an invalid date, or the runtime does not know the time zone
 */
export function nextClosing(store: StoreHours, instant: Date): Date | null {
  return firstInstant(store, instant, false);
}

function firstInstant(store: StoreHours, instant: Date, open: boolean): Date | null {
  const start = timeOf(instant);
  const plan = dayPlan(store);
  for (let at = start; at <= start + HORIZON; at = plan.staysUntil(at)) {
    if (plan.isOpenAt(at) === open) return new Date(at);
  }
  return null;
}

function timeOf(instant: Date): number {
  const time = instant.getTime();
  if (Number.isNaN(time)) throw new RangeError('The date is invalid.');
  return time;
}
