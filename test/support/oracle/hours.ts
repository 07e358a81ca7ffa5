/**
 * Opening hours, written apart from the client: no offsets, no arithmetic on local time. Whether a
 * store is open is read off the text that a clock in the store shows; when that changes is found by
 * asking at every instant at which it could.
 */
import type { Store } from '../../../src/model/store.ts';

export type Hours = Store['temporal'];
type Row = Hours['schedule']['openingHours'][number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const QUARTER = 15 * MINUTE;
export const DAY = 24 * 60 * MINUTE;
export const HORIZON = 366 * DAY;

export class HoursOracle {
  private readonly hours: Hours;
  private readonly format: Intl.DateTimeFormat;
  private readonly closures: readonly (readonly [number, number])[];
  private readonly rows = new Map<string, readonly Row[]>();
  /** Minutes after a quarter of an hour at which some row begins or ends, 0 among them. */
  private readonly minutes: readonly number[];
  /** Everything at which the state could change outside of minutes, in order. */
  private readonly edges: readonly number[];
  private readonly start: number;
  /** Where the state changes, from `start` to `known`: the state before the first is `first`. */
  private readonly changes: number[] = [];
  private readonly first: boolean;
  private known: number;

  /** @param start nothing before it is asked for */
  constructor(hours: Hours, start: number) {
    this.hours = hours;
    this.format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: hours.timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    const { schedule } = hours;
    this.closures = schedule.closedRanges
      .filter((range) => at(range.from) <= at(range.to))
      .map((range) => [at(range.from), endOfSecond(at(range.to))] as const);
    this.edges = this.closures.flatMap(([from, to]) => [from, to + 1]).sort((a, b) => a - b);
    const rows = [...schedule.openingHours, ...schedule.openingHoursLowSeason];
    const times = rows.flatMap(({ from, to }) => [from, endOf(to)]);
    this.minutes = [...new Set([0, ...times.map((time) => Number(time.slice(3)) % 15)])].sort(
      (a, b) => a - b,
    );
    this.start = Math.floor(start / QUARTER) * QUARTER;
    this.known = this.start;
    this.first = this.isOpen(this.start);
  }

  /** `YYYY-MM-DD HH:mm`, as a clock in the store shows it. */
  shownAt(instant: number): string {
    return this.format.format(instant);
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
    this.extend(instant);
    let index = this.changes.findLastIndex((change) => change <= instant) + 1;
    let state = this.first === (index % 2 === 0);
    let from = instant;
    while (state !== open) {
      while (index >= this.changes.length && this.known <= limit) this.extend(this.known);
      const change = this.changes[index];
      if (change === undefined || change > limit) return null;
      from = change;
      state = !state;
      index++;
    }
    return from;
  }

  /** Every instant in a time at which the state could change: quarters, ends of rows and closures. */
  *candidates(from: number, to: number): Generator<number> {
    for (let quarter = Math.floor(from / QUARTER) * QUARTER; quarter < to; quarter += QUARTER) {
      const inside = this.edges.filter((edge) => quarter <= edge && edge < quarter + QUARTER);
      const minutes = this.minutes.map((minute) => quarter + minute * MINUTE);
      const all = inside.length > 0 ? [...inside, ...minutes].sort((a, b) => a - b) : minutes;
      for (const instant of all) if (from <= instant && instant < to) yield instant;
    }
  }

  /** Looks further, to the end of the day that `instant` is in. */
  private extend(instant: number): void {
    const end = this.start + (Math.floor((instant - this.start) / DAY) + 1) * DAY;
    let state = this.first === (this.changes.length % 2 === 0);
    for (const candidate of this.candidates(this.known, end)) {
      if (this.isOpen(candidate) === state) continue;
      this.changes.push(candidate);
      state = !state;
    }
    this.known = Math.max(this.known, end);
  }

  private rowsOf(date: string): readonly Row[] {
    let rows = this.rows.get(date);
    if (!rows) {
      const { openingHours, openingHoursLowSeason, lowSeasonRanges } = this.hours.schedule;
      const noon = lowSeasonRanges.length > 0 ? this.noonOf(date) : 0;
      const isLow = lowSeasonRanges.some(({ from, to }) => at(from) <= noon && noon <= at(to));
      const list = isLow ? openingHoursLowSeason : openingHours;
      const weekday = String(new Date(`${date}T00:00Z`).getUTCDay());
      rows = list.filter(({ day }) => [weekday, '*'].includes(day));
      this.rows.set(date, rows);
    }
    return rows;
  }

  /** A date that the zone left out has its noon a day after that of the date before. */
  private noonOf(date: string): number {
    const middle = Date.parse(`${date}T12:00Z`);
    for (let instant = middle - 15 * 4 * QUARTER; instant <= middle + 15 * 4 * QUARTER; ) {
      if (this.shownAt(instant) === `${date} 12:00`) return instant;
      instant += QUARTER;
    }
    return this.noonOf(dayBefore(date)) + DAY;
  }
}

/** Eight days. */
const SOON = 192 * 60 * MINUTE;

/** What an answer with `at` says of a store. */
export function openingAt(hours: Hours, instant: number): Store['opening'] {
  const oracle = new HoursOracle(hours, instant);
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

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00Z`) - DAY).toISOString().slice(0, 10);
}
