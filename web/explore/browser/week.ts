/** The opening hours of the coming week in words. */
import { type StoreDay, weekOf } from '../../../client/src/index.ts';
import type { Temporal } from './temporal.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export interface DayInWords {
  readonly name: string;
  readonly times: string;
}

/**
 * The dates from today on, which is today in the store; null where this browser does not know its zone.
 */
export function comingWeek(temporal: Temporal, at: Date): DayInWords[] | null {
  try {
    // Sweden writes dates as YYYY-MM-DD.
    const today = at.toLocaleDateString('sv-SE', { timeZone: temporal.timezone });
    return weekOf({ temporal }, today).map((day) => ({ name: nameOf(day), times: timesOf(day) }));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const nameOf = ({ date }: StoreDay): string => DAYS[new Date(date).getUTCDay()] as string;

function timesOf({ open, closures }: StoreDay): string {
  const times = open.map(({ from, to }) => `${from}–${to}`).join(', ') || 'Closed';
  return open.length > 0 && closures.length > 0 ? `${times}, closed in part or whole` : times;
}
