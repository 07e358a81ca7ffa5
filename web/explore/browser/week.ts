/** The regular hours of a week in words, as the season has them. */

import { DayPlan, weekdayOf } from '../../../client/src/hours/day-plan.ts';
import { clockOf, DAY, type ZoneClock } from '../../../client/src/hours/zone-clock.ts';
import type { Temporal } from './temporal.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Weeks are shown from Monday. */
const ORDER = [1, 2, 3, 4, 5, 6, 0];

export interface DayInWords {
  readonly name: string;
  readonly times: string;
  readonly isToday: boolean;
}

export interface WeekInWords {
  readonly isLowSeason: boolean;
  readonly days: readonly DayInWords[];
}

/**
 * The rows of each weekday and those of `*`, which is every day; `open: false` takes time away. The
 * season is that of the date in the store; no day is today where this browser does not know the zone.
 */
export function weekOf({ timezone, schedule }: Temporal, at: Date): WeekInWords {
  const own = knownClock(timezone);
  const clock = own ?? clockOf('UTC');
  const date = Math.floor((at.getTime() + clock.spanAt(at.getTime()).offset) / DAY);
  const isLowSeason = new DayPlan(schedule, clock).isLowSeason(date);
  const rows = isLowSeason ? schedule.openingHoursLowSeason : schedule.openingHours;
  const today = own && weekdayOf(date);
  const days = ORDER.map((day) => {
    const times = rows
      .filter((row) => row.day === String(day) || row.day === '*')
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map(({ from, to, open }) => `${open ? '' : 'closed '}${from}–${to}`);
    return {
      name: DAYS[day] as string,
      times: times.length > 0 ? times.join(', ') : 'Closed',
      isToday: day === today,
    };
  });
  return { isLowSeason, days };
}

/** Null where this browser does not know the zone. */
function knownClock(timezone: string): ZoneClock | null {
  try {
    return clockOf(timezone);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
