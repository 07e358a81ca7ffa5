/**
 * Opening hours, written apart from the client: no offsets, no arithmetic on local time. Whether a
 * store is open is read off the text that a clock in the store shows; when that changes is found by
 * asking at every instant at which it could.
 */
import type { Store } from '../../../src/model/store.ts';
import { remembering } from '../remembering.ts';

export type Hours = Store['temporal'];
type Row = Hours['schedule']['openingHours'][number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const QUARTER = 15 * MINUTE;
export const DAY = 24 * 60 * MINUTE;
export const HORIZON = 366 * DAY;

/** What clocks of a zone show in a minute since 1970: stores of it share what is remembered. */
const clockIn = remembering((timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return remembering((minute: number) => format.format(minute * MINUTE));
});

export class HoursOracle {
  private readonly hours: Hours;
  private readonly closures: readonly (readonly [number, number])[];
  /** Minutes after a quarter of an hour at which some row begins or ends, 0 among them. */
  private readonly minutes: readonly number[];
  /** Everything at which the state could change outside of minutes. */
  private readonly edges: readonly number[];
  private readonly shownIn: (minute: number) => string;

  constructor(hours: Hours) {
    this.hours = hours;
    this.shownIn = clockIn(hours.timezone);
    const { schedule } = hours;
    this.closures = schedule.closedRanges
      .filter((range) => at(range.from) <= at(range.to))
      .map((range) => [at(range.from), endOfSecond(at(range.to))] as const);
    this.edges = this.closures.flatMap(([from, to]) => [from, to + 1]);
    const rows = [...schedule.openingHours, ...schedule.openingHoursLowSeason];
    const times = rows.flatMap(({ from, to }) => [from, endOf(to)]);
    this.minutes = [...new Set([0, ...times.map((time) => Number(time.slice(3)) % 15)])];
  }

  /** `YYYY-MM-DD HH:mm`, as a clock in the store shows it. */
  shownAt(instant: number): string {
    return this.shownIn(Math.floor(instant / MINUTE));
  }

  isOpen(instant: number): boolean {
    if (this.closures.some(([from, to]) => from <= instant && instant <= to)) return false;
    const shown = this.shownAt(instant);
    const date = shown.slice(0, 10);
    const time = shown.slice(11);
    const covering = [
      ...this.rowsOf(date).filter(({ from, to }) =>
        endOf(to) > from ? from <= time && time < endOf(to) : from <= time,
      ),
      ...this.rowsOf(dayBefore(date)).filter(({ from, to }) => endOf(to) <= from && time < to),
    ];
    return covering.length > 0 && covering.every(({ open }) => open);
  }

  /** The first instant from `instant` on, `limit` included, at which the state is `open`. */
  next(instant: number, open: boolean, limit = instant + HORIZON): number | null {
    if (this.isOpen(instant) === open) return instant;
    for (let day = Math.floor(instant / DAY); day * DAY <= limit; day++) {
      const change = this.changesOn(day).find((each) => each > instant);
      if (change !== undefined) return change > limit ? null : change;
    }
    return null;
  }

  /** Every instant in a time at which the state could change: quarters, ends of rows and closures. */
  *candidates(from: number, to: number): Generator<number> {
    for (let quarter = Math.floor(from / QUARTER) * QUARTER; quarter < to; quarter += QUARTER) {
      const inside = this.edges.filter((edge) => quarter <= edge && edge < quarter + QUARTER);
      const minutes = this.minutes.map((minute) => quarter + minute * MINUTE);
      const all = [...inside, ...minutes].sort((a, b) => a - b);
      for (const instant of all) if (from <= instant && instant < to) yield instant;
    }
  }

  /** When the state changes, by day of UTC. */
  private readonly changesOn = remembering((day: number): readonly number[] => {
    let state = this.isOpen(day * DAY - 1);
    return [...this.candidates(day * DAY, (day + 1) * DAY)].filter((instant) => {
      const before = state;
      state = this.isOpen(instant);
      return state !== before;
    });
  });

  private readonly rowsOf = remembering((date: string): readonly Row[] => {
    const { openingHours, openingHoursLowSeason, lowSeasonRanges } = this.hours.schedule;
    const noon = lowSeasonRanges.length > 0 ? this.noonOf(date) : 0;
    const isLow = lowSeasonRanges.some(({ from, to }) => at(from) <= noon && noon <= at(to));
    const list = isLow ? openingHoursLowSeason : openingHours;
    const weekday = String(new Date(`${date}T00:00Z`).getUTCDay());
    return list.filter(({ day }) => [weekday, '*'].includes(day));
  });

  /** A date that the zone left out has its noon a day after the noon of the date before. */
  private noonOf(date: string): number {
    const middle = Date.parse(`${date}T12:00Z`);
    for (let instant = middle - 15 * 4 * QUARTER; instant <= middle + 15 * 4 * QUARTER; ) {
      if (this.shownAt(instant) === `${date} 12:00`) return instant;
      instant += QUARTER;
    }
    return this.noonOf(dayBefore(date)) + DAY;
  }
}

/** The oracle of a store's hours. */
export const oracleOf = remembering((hours: Hours) => new HoursOracle(hours));

/** Eight days. */
const SOON = 192 * 60 * MINUTE;

/** What an answer with `at` says of a store. */
export function openingAt(hours: Hours, instant: number): Store['opening'] {
  const oracle = oracleOf(hours);
  const isOpen = oracle.isOpen(instant);
  const change = oracle.next(instant, !isOpen, instant + SOON);
  const nextChange = change === null ? null : new Date(change).toISOString();
  return { at: new Date(instant).toISOString(), isOpen, nextChange };
}

function at(timestamp: string): number {
  return new Date(timestamp).getTime();
}

/** The last instant that a clock with seconds shows alike. */
export function endOfSecond(instant: number): number {
  return new Date(instant).setUTCMilliseconds(999);
}

function endOf(to: string): string {
  return to === '23:59' ? '24:00' : to;
}

const dayBefore = remembering((date: string) =>
  new Date(Date.parse(`${date}T00:00Z`) - DAY).toISOString().slice(0, 10),
);
