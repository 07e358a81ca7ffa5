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

/** Dates that are further away have their year. */
const FAR = 300 * DAY;

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/**
 * Says whether a store is open, and what comes next: `until 18:30`, `opens Mon 09:00`; empty when that is days
 * away. Null once it is past, and where this browser does not know the time zone.
 */
export function openingOf({ isOpen, nextChange, timezone }: Opening, at: Date) {
  return unlessZoneIsUnknown(() => {
    const next = nextChange === null ? null : new Date(nextChange);
    if (next && next <= at) return null;
    if (!next || next.getTime() - at.getTime() > 6 * DAY) return { isOpen, next: '' };
    const isToday = dateOf(next, timezone) === dateOf(at, timezone);
    const day = isToday ? '' : `${weekday(next, timezone, 'short')} `;
    return { isOpen, next: `${isOpen ? 'until' : 'opens'} ${day}${timeOf(next, timezone)}` };
  });
}

/** Returns seven dates from today (in the store) on, and what changes; null where its time zone is unknown. */
export function openingHours(hours: StoreHours, at: Date) {
  const { timezone } = hours.temporal;
  return unlessZoneIsUnknown(() => ({
    week: weekOf(hours, dateOf(at, timezone)).map((day) => ({
      name: weekday(new Date(day.date), 'UTC', 'long'),
      times: timesOf(day, timezone),
    })),
    season: seasonOf(hours, at),
    closures: comingClosures(hours, at),
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
function seasonOf({ temporal }: StoreHours, at: Date): string {
  const { timezone, schedule } = temporal;
  const [hour = 0, minute = 0] = timeOf(at, timezone).split(':').map(Number);
  // Its noon decides which season a date belongs to.
  const noon = at.getTime() + HALF_DAY - (hour * 60 + minute) * 60_000;
  const [season] = schedule.lowSeasonRanges
    .map(instantsOf)
    .filter(([, to]) => to.getTime() > noon)
    .sort(([a], [b]) => a.getTime() - b.getTime());
  if (!season) return '';
  const [from, to] = season;
  const isNow = from.getTime() <= noon;
  const date = new Date(isNow ? to.getTime() - HALF_DAY : from.getTime() + HALF_DAY);
  return `Low season ${isNow ? 'until' : 'from'} ${dates(date, at, timezone).format(date)}`;
}

/**
 * Writes the closures that are not over, as `24–26 December`. A closure that begins and ends at night is written
 * by its dates: schedules are often in UTC.
 */
function comingClosures({ temporal }: StoreHours, at: Date): readonly string[] {
  const { timezone, schedule } = temporal;
  const isNight = (instant: Date) => /^(2[23]|0[0-2])/.test(timeOf(instant, timezone));
  return schedule.closedRanges
    .map(instantsOf)
    .filter(([from, to]) => to > at && from < to)
    .sort(([a], [b]) => a.getTime() - b.getTime())
    .map(([from, to]) => {
      if (!isNight(from) || !isNight(to)) {
        return dates(to, at, timezone, TIME).formatRange(from, to);
      }
      const [first, last] = [from.getTime() + HALF_DAY, to.getTime() - HALF_DAY];
      return dates(to, at, timezone).formatRange(first, Math.max(first, last));
    });
}

/** Writes `24 December`, with the year where that is far from `at`. */
function dates(date: Date, at: Date, timeZone: string, times: Intl.DateTimeFormatOptions = {}) {
  const year = date.getTime() - at.getTime() > FAR ? 'numeric' : undefined;
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year,
    ...times,
  });
}

/** Returns the first instant of a range, and the first one after it: its last second counts whole. */
const instantsOf = ({ from, to }: TimeRange): readonly [Date, Date] => [
  new Date(from),
  new Date(Math.floor(Date.parse(to) / 1000 + 1) * 1000),
];

/** Writes a date as YYYY-MM-DD, as Sweden does. */
const dateOf = (at: Date, timeZone: string): string => at.toLocaleDateString('sv-SE', { timeZone });

const timeOf = (at: Date, timeZone: string): string =>
  at.toLocaleTimeString('en', { timeZone, ...TIME });

const weekday = (at: Date, timeZone: string, length: 'long' | 'short'): string =>
  at.toLocaleDateString('en', { timeZone, weekday: length });

function unlessZoneIsUnknown<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
