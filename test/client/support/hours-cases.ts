/** Stores whose opening hours are hard to get right, each with a time in which their zone is too. */
import { DAY, type Hours } from '../../support/oracle/hours.ts';
import { randomFrom } from '../../support/simulated-world.ts';

export interface HoursCase {
  readonly name: string;
  readonly temporal: Hours;
  /** Instants, the first included. */
  readonly from: number;
  readonly to: number;
}

type Schedule = Hours['schedule'];
type Row = Schedule['openingHours'][number];
type Range = Schedule['closedRanges'][number];

const MONTH = 30 * DAY;

/**
 * Zones and when something happens in them: half-hour changes, winter time in a summer month, a date
 * left out, midnight skipped and repeated, changes of government on short notice, odd quarters.
 */
const PLACES = [
  ['Australia/Lord_Howe', '2026-03-01'],
  ['Africa/Casablanca', '2026-01-15'],
  ['Pacific/Apia', '2011-09-01'],
  ['Pacific/Apia', '2020-09-01'],
  ['America/Santiago', '2026-03-15'],
  ['America/Havana', '2026-10-01'],
  ['America/Sao_Paulo', '2018-10-15'],
  ['Asia/Beirut', '2026-10-01'],
  ['Africa/Cairo', '2014-05-01'],
  ['Pacific/Chatham', '2026-03-15'],
  ['America/St_Johns', '2026-10-15'],
  ['Antarctica/Troll', '2026-03-15'],
  ['Asia/Kathmandu', '2026-05-01'],
  ['America/New_York', '2026-10-15'],
  ['Europe/Paris', '2026-03-15'],
  ['America/Nuuk', '2026-10-01'],
  ['UTC', '2027-12-20'],
] as const;

/** Times of day around which zones change, and all others now and then. */
const TIMES = [
  ...['00:00', '00:00', '00:30', '01:00', '01:45', '02:00', '02:15', '02:30', '03:00', '03:10'],
  ...['06:00', '09:00', '12:00', '13:30', '18:30', '22:00', '23:00', '23:30', '23:58', '23:59'],
] as const;
const DAYS = ['0', '1', '2', '3', '4', '5', '6', '*', '*', '*'] as const;

/** Cases for a seed, one for each of the places. @param months length of their time */
export function hardCases(seed: number, months: number): HoursCase[] {
  return PLACES.map(([timezone, start], index) => {
    const draw = new Draw(seed * 1000 + index);
    const from = Date.parse(`${start}T00:00Z`);
    const to = from + months * MONTH;
    // Half of a year more, as what lies behind the last instant decides about it too.
    const schedule = draw.schedule(from - MONTH, to + 6 * MONTH, timezone);
    return { name: `${timezone} ${start} ${seed}`, temporal: { timezone, schedule }, from, to };
  });
}

class Draw {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  schedule(from: number, to: number, timezone: string): Schedule {
    const kind = this.random();
    return {
      openingHours: kind < 0.08 ? [] : this.rows(kind < 0.16 ? 0 : 0.2),
      openingHoursLowSeason: kind < 0.04 ? [] : this.rows(0.3),
      lowSeasonRanges: [
        ...this.ranges(1, 60 * DAY, from, to),
        ...this.seasonsToNoon(from, to, timezone),
      ],
      closedRanges: this.ranges(8, 4 * DAY, from, to),
    };
  }

  /** @param closed share of rows that close */
  private rows(closed: number): Row[] {
    return Array.from({ length: 1 + this.whole(10) }, (_, index) => ({
      id: `row-${index}`,
      day: this.pick(DAYS),
      from: this.pick(TIMES),
      to: this.pick(TIMES),
      open: this.random() >= closed,
    }));
  }

  /** Short seasons that begin and end about noon in the store, to the millisecond, or an hour off. */
  private seasonsToNoon(from: number, to: number, timezone: string): Range[] {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, timeStyle: 'short' });
    const nearNoon = (instant: number) => {
      const minute = Math.floor(instant / 60_000) * 60_000;
      const [hours, minutes] = format.format(minute).split(':').map(Number) as [number, number];
      const noon = minute + (720 - hours * 60 - minutes) * 60_000;
      return noon + this.pick([-1, 0, 0, 1]) + this.pick([0, 0, -3600_000, 3600_000]);
    };
    return Array.from({ length: 10 }, (_, index) => {
      const start = from + this.whole(to - from);
      const range = [nearNoon(start), nearNoon(start + this.whole(10 * DAY))] as const;
      const [begin, end] = range.map((instant) => new Date(instant).toISOString());
      return { id: `season-${index}`, from: begin as string, to: end as string };
    });
  }

  private ranges(most: number, longest: number, from: number, to: number): Range[] {
    const ranges: Range[] = [];
    for (let count = this.whole(most + 1); count > 0; count--) {
      const start = from + this.whole(to - from);
      const end = start + this.whole(longest);
      ranges.push({ id: `range-${count}`, from: this.timestamp(start), to: this.timestamp(end) });
      // Now and then one that follows at once, one instant alone, and one that ends before it begins.
      const [next, far] = [this.timestamp(end + 1), this.timestamp(end + DAY)];
      if (this.random() < 0.2) ranges.push({ id: `next-${count}`, from: next, to: far });
      if (this.random() < 0.2) ranges.push({ id: `one-${count}`, from: far, to: far });
      if (this.random() < 0.1) ranges.push({ id: `void-${count}`, from: far, to: next });
    }
    return ranges;
  }

  /** To the millisecond, to the second, or to the minute; with Z or an offset. */
  private timestamp(instant: number): string {
    const [unit, digits] = this.pick([
      [1, 23],
      [1000, 19],
      [60_000, 16],
    ] as const);
    const rounded = Math.floor(instant / unit) * unit;
    if (this.random() < 0.5) return `${new Date(rounded).toISOString().slice(0, digits)}Z`;
    const shifted = new Date(rounded + 3.5 * 3600_000).toISOString().slice(0, digits);
    return `${shifted}+03:30`;
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.whole(from.length)] as T;
  }

  private whole(below: number): number {
    return Math.floor(this.random() * below);
  }
}
