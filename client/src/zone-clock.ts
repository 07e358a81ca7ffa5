/**
 * What clocks in a time zone show, by the runtime. `Intl` alone knows the zones; asking it costs a microsecond or
 * two, so the offset of each day is remembered.
 */

import { type Clock, DAY, type OffsetSpan } from '../../src/hours/clock.ts';

const SECOND = 1000;

/** Days remembered of a zone: ten years and more, about 100 kB. */
const MAX_DAYS = 4000;
/** Zones remembered. There are about 600 names; only foreign spellings could be more. */
const MAX_ZONES = 1000;

/** A day of UTC: one offset, or two and the instant at which the second begins. */
interface DayOffsets {
  readonly before: number;
  readonly change: number;
  readonly after: number;
}

const clocks = new Map<string, ZoneClock>();

/** Makes the clock of an IANA zone. @throws RangeError when the runtime does not know the zone */
export function clockOf(timezone: string): ZoneClock {
  let clock = clocks.get(timezone);
  if (!clock) {
    clock = new ZoneClock(timezone);
    if (clocks.size >= MAX_ZONES) clocks.clear();
    clocks.set(timezone, clock);
  }
  return clock;
}

class ZoneClock implements Clock {
  private readonly format: Intl.DateTimeFormat;
  private readonly days = new Map<number, DayOffsets>();

  constructor(timezone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  spanAt(instant: number): OffsetSpan {
    const day = Math.floor(instant / DAY);
    const { before, change, after } = this.days.get(day) ?? this.remember(day);
    if (instant < change) return { offset: before, until: change };
    return { offset: after, until: (day + 1) * DAY };
  }

  /** Returns the instant of the one change of the offset between two instants of full seconds. */
  changeBetween(start: number, end: number): number {
    const before = this.offsetAt(start);
    // Zones change on full seconds.
    let [low, high] = [start / SECOND, end / SECOND];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle * SECOND) === before) low = middle;
      else high = middle;
    }
    return high * SECOND;
  }

  /** Returns the offset that the runtime knows; it is not kept. `en-US` writes `MM/DD/YYYY, HH:mm:ss`. */
  offsetAt(instant: number): number {
    const shown = this.format.format(instant).match(/\d+/g) ?? [];
    const [month = Number.NaN, day, year = Number.NaN, hour, minute, second] = shown.map(Number);
    const local = Date.UTC(year, month - 1, day, hour, minute, second);
    if (Number.isNaN(local)) throw new RangeError('This runtime writes dates in an unknown form.');
    return local - instant;
  }

  private remember(day: number): DayOffsets {
    const offsets = this.lookUp(day);
    if (this.days.size >= MAX_DAYS) this.days.clear();
    this.days.set(day, offsets);
    return offsets;
  }

  /** Returns the offsets of a day. No zone changes its offset twice in 24 hours. */
  private lookUp(day: number): DayOffsets {
    const end = (day + 1) * DAY;
    const before = this.days.get(day - 1)?.after ?? this.offsetAt(day * DAY);
    const after = this.days.get(day + 1)?.before ?? this.offsetAt(end);
    if (before === after) return { before, change: end, after };
    return { before, change: this.changeBetween(day * DAY, end), after };
  }
}
