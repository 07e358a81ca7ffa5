/** Opening hours in words, as they are at an instant by the clock of the store. */
import {
  isOpenAt,
  nextClosing,
  nextOpening,
  type StoreDay,
  type StoreHours,
  weekOf,
} from '../../../../client/src/index.ts';

const DAY = 24 * 3600_000;

export type Opening = NonNullable<ReturnType<typeof openingOf>>;

/**
 * Whether a store is open, and what comes next: `until 18:30`, `opens Mon 09:00`; empty when that is months
 * away. Null where this browser does not know its time zone.
 */
export function openingOf(hours: StoreHours, at: Date) {
  return unlessZoneIsUnknown(() => {
    const isOpen = isOpenAt(hours, at);
    const next = isOpen ? nextClosing(hours, at) : nextOpening(hours, at);
    if (!next || next.getTime() - at.getTime() > 6 * DAY) return { isOpen, next: '' };
    const { timezone } = hours.temporal;
    const isToday = dateOf(next, timezone) === dateOf(at, timezone);
    const day = isToday ? '' : `${weekday(next, timezone, 'short')} `;
    return { isOpen, next: `${isOpen ? 'until' : 'opens'} ${day}${timeOf(next, timezone)}` };
  });
}

/** The dates from today on, which is today in the store; null where its time zone is unknown. */
export function comingWeek(hours: StoreHours, at: Date) {
  return unlessZoneIsUnknown(() =>
    weekOf(hours, dateOf(at, hours.temporal.timezone)).map((day) => ({
      name: weekday(new Date(day.date), 'UTC', 'long'),
      times: timesOf(day),
    })),
  );
}

function timesOf({ open, closures }: StoreDay): string {
  const times = open.map(({ from, to }) => `${from}–${to}`).join(', ') || 'Closed';
  return open.length > 0 && closures.length > 0 ? `${times}, closed in part or whole` : times;
}

/** Sweden writes dates as YYYY-MM-DD. */
const dateOf = (at: Date, timeZone: string): string => at.toLocaleDateString('sv-SE', { timeZone });

const timeOf = (at: Date, timeZone: string): string =>
  at.toLocaleTimeString('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

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
