/** The regular hours of a week in words, as the season has them. */
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

/** The rows of each weekday, or those of `*` where it has none; `open: false` takes time away. */
export function weekOf({ timezone, schedule }: Temporal, at: Date): WeekInWords {
  const isLowSeason = schedule.lowSeasonRanges.some(
    ({ from, to }) => Date.parse(from) <= at.getTime() && at.getTime() <= Date.parse(to),
  );
  const rows = isLowSeason ? schedule.openingHoursLowSeason : schedule.openingHours;
  const today = weekdayIn(timezone, at);
  const days = ORDER.map((day) => {
    const own = rows.filter((row) => row.day === String(day));
    const used = own.length > 0 ? own : rows.filter((row) => row.day === '*');
    const times = [...used]
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map(({ from, to, open }) => `${open ? '' : 'closed '}${from}–${to}`);
    return {
      name: DAYS[day] as string,
      times: times.length > 0 ? times.join(', ') : 'Closed',
      isToday: DAYS[day] === today,
    };
  });
  return { isLowSeason, days };
}

/** Null where this browser does not know the zone. */
function weekdayIn(timeZone: string, at: Date): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, weekday: 'long' }).format(at);
  } catch {
    return null;
  }
}
