/** Opening hours in words, as they are at an instant by the clock of the store. */
import {
  type OpenTime,
  type StoreDay,
  type StoreHours,
  type TimeRange,
  weekOf,
} from '../../../../client/src/index.ts';
import type { FoundStore } from './found.ts';

const HALF_DAY = 12 * 3600_000;
const DAY = 2 * HALF_DAY;

type Opening = NonNullable<FoundStore['opening']>;

/** Dates that are further away are written with their year. */
const MAX_WITHOUT_YEAR = 300 * DAY;

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/**
 * Says whether a store is open, and what comes next: `until 18:30`, `opens Mon 09:00`; empty when that is days
 * away. Null once it is past, and where this browser does not know the time zone.
 */
export function openingOf({ isOpen, nextChange, timezone }: Opening, at: Date) {
  return unlessZoneIsUnknown(() => {
    const [now, next] = [at.getTime(), Date.parse(nextChange ?? '')];
    if (next <= now) return null;
    if (nextChange === null || next - now > 6 * DAY) return { isOpen, next: '' };
    const isToday = dateOf(next, timezone) === dateOf(now, timezone);
    const day = isToday ? '' : `${weekday(next, timezone, 'short')} `;
    return { isOpen, next: `${isOpen ? 'until' : 'opens'} ${day}${timeOf(next, timezone)}` };
  });
}

/** Returns seven dates from today (in the store) on, and what changes; null where its time zone is unknown. */
export function openingHours(hours: StoreHours, at: Date) {
  const { timezone } = hours.temporal;
  const now = at.getTime();
  return unlessZoneIsUnknown(() => ({
    week: weekOf(hours, dateOf(now, timezone)).map((day) => ({
      name: weekday(Date.parse(day.date), 'UTC', 'long'),
      times: timesOf(day, timezone),
    })),
    season: seasonOf(hours, now),
    closures: comingClosures(hours, now),
  }));
}

/** Says when the store is open on a date, and when it would be without its closures, if that differs. */
function timesOf({ date, open, closures }: StoreDay, timezone: string): string {
  const shown = (times: readonly OpenTime[]) =>
    times.map(({ from, to }) => `${from}–${to}`).join(', ') || 'Closed';
  const left = closures.reduce((times, range) => without(times, range, date, timezone), open);
  const usual = shown(open);
  return shown(left) === usual ? usual : `${shown(left)} (usually ${usual})`;
}

/** Returns what a closure leaves of the times of a date. */
function without(
  times: readonly OpenTime[],
  range: TimeRange,
  date: string,
  timezone: string,
): readonly OpenTime[] {
  const [from, to] = instantsOf(range);
  const start = dateOf(from, timezone) < date ? '00:00' : timeOf(from, timezone);
  const end = dateOf(to, timezone) > date ? '24:00' : timeOf(to, timezone);
  return times
    .flatMap(({ from, to }) => [
      { from, to: to.localeCompare(start) < 0 ? to : start },
      { from: from.localeCompare(end) > 0 ? from : end, to },
    ])
    .filter((time) => time.from < time.to);
}

/** Writes `Low season until 31 March` or `Low season from 1 November`; empty where none is left. */
function seasonOf({ temporal }: StoreHours, now: number): string {
  const { timezone, schedule } = temporal;
  const [hour = 0, minute = 0] = timeOf(now, timezone).split(':').map(Number);
  // Its noon decides which season a date belongs to.
  const noon = now + HALF_DAY - (hour * 60 + minute) * 60_000;
  const [season] = inOrder(schedule.lowSeasonRanges).filter(([, to]) => to > noon);
  if (!season) return '';
  const [from, to] = season;
  const isNow = from <= noon;
  const date = isNow ? to - HALF_DAY : from + HALF_DAY;
  return `Low season ${isNow ? 'until' : 'from'} ${dates(date, now, timezone).format(date)}`;
}

/**
 * Writes the closures that are not over, as `24–26 December`. A closure that begins and ends at night is written
 * by its dates: schedules are often in UTC.
 */
function comingClosures({ temporal }: StoreHours, now: number): readonly string[] {
  const { timezone, schedule } = temporal;
  const isNight = (instant: number) => /^(2[23]|0[0-2])/.test(timeOf(instant, timezone));
  return inOrder(schedule.closedRanges)
    .filter(([from, to]) => to > now && from < to)
    .map(([from, to]) => {
      if (!isNight(from) || !isNight(to)) {
        return dates(to, now, timezone, TIME).formatRange(from, to);
      }
      const [first, last] = [from + HALF_DAY, to - HALF_DAY];
      return dates(to, now, timezone).formatRange(first, Math.max(first, last));
    });
}

/** Writes `24 December`, with the year where that is far from `now`. */
function dates(
  date: number,
  now: number,
  timeZone: string,
  times: Intl.DateTimeFormatOptions = {},
) {
  const year = date - now > MAX_WITHOUT_YEAR ? 'numeric' : undefined;
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year,
    ...times,
  });
}

const inOrder = (ranges: readonly TimeRange[]) => ranges.map(instantsOf).sort(([a], [b]) => a - b);

/** Returns the first instant of a range, and the first one after it: its last second counts whole. */
const instantsOf = ({ from, to }: TimeRange): readonly [number, number] => [
  Date.parse(from),
  Math.floor(Date.parse(to) / 1000 + 1) * 1000,
];

/** Writes a date as YYYY-MM-DD, as Sweden does. */
const dateOf = (at: number, timeZone: string): string =>
  new Date(at).toLocaleDateString('sv-SE', { timeZone });

const timeOf = (at: number, timeZone: string): string =>
  new Date(at).toLocaleTimeString('en', { timeZone, ...TIME });

const weekday = (at: number, timeZone: string, length: 'long' | 'short'): string =>
  new Date(at).toLocaleDateString('en', { timeZone, weekday: length });

function unlessZoneIsUnknown<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
