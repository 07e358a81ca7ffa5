/** Stores whose opening hours are hard to get right, each with a time in which their zone is too. */
import { Random } from '../../../fixtures/generator/random.ts';
import { DAY, type Hours } from '../../support/oracle/hours.ts';

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
const DAYS = [...'0123456***'] as Row['day'][];

/** Cases for a seed, one for each of the places. @param months length of their time */
export function hardCases(seed: number, months: number): HoursCase[] {
  return PLACES.map(([timezone, start], index) => {
    const random = new Random(seed, index);
    const from = Date.parse(`${start}T00:00Z`);
    const to = from + months * MONTH;
    // Half of a year more, as what lies behind the last instant decides about it too.
    const schedule = drawSchedule(random, from - MONTH, to + 6 * MONTH, timezone);
    return { name: `${timezone} ${start} ${seed}`, temporal: { timezone, schedule }, from, to };
  });
}

function drawSchedule(random: Random, from: number, to: number, timezone: string): Schedule {
  const kind = random.fraction();
  return {
    openingHours: kind < 0.08 ? [] : drawRows(random, kind < 0.16 ? 0 : 0.2),
    openingHoursLowSeason: kind < 0.04 ? [] : drawRows(random, 0.3),
    lowSeasonRanges: [
      ...drawRanges(random, 1, 60 * DAY, from, to),
      ...seasonsToNoon(random, from, to, timezone),
    ],
    closedRanges: drawRanges(random, 10, 4 * DAY, from, to),
  };
}

/** @param closed share of rows that close */
function drawRows(random: Random, closed: number): Row[] {
  return Array.from({ length: random.integer(1, 10) }, (_, index) => ({
    id: `row-${index}`,
    day: random.pick(DAYS),
    from: random.pick(TIMES),
    to: random.pick(TIMES),
    open: !random.chance(closed),
  }));
}

/** Short seasons that begin and end about noon in the store, to the millisecond, or an hour off. */
function seasonsToNoon(random: Random, from: number, to: number, timezone: string): Range[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, timeStyle: 'short' });
  const nearNoon = (instant: number) => {
    const minute = Math.floor(instant / 60_000) * 60_000;
    const [hours, minutes] = format.format(minute).split(':').map(Number) as [number, number];
    const noon = minute + (720 - hours * 60 - minutes) * 60_000;
    const shifted = noon + random.pick([-1, 0, 0, 1]) + random.pick([0, 0, -3600_000, 3600_000]);
    return new Date(shifted).toISOString();
  };
  return Array.from({ length: 10 }, (_, index) => {
    const start = random.integer(from, to - 1);
    const end = start + random.integer(0, 10 * DAY);
    return { id: `season-${index}`, from: nearNoon(start), to: nearNoon(end) };
  });
}

function drawRanges(
  random: Random,
  most: number,
  longest: number,
  from: number,
  to: number,
): Range[] {
  let end = from;
  return Array.from({ length: random.integer(0, most) }, (_, index) => {
    // Now and then one that follows at once, one instant alone, and one that ends before it begins.
    const start = random.chance(0.2) ? end + 1 : random.integer(from, to - 1);
    end = start + random.pick([0, -DAY, ...Array(6).fill(random.integer(0, longest))]);
    const [first, last] = [start, end].map((instant) => timestamp(random, instant));
    return { id: `range-${index}`, from: first as string, to: last as string };
  });
}

/** To the millisecond, to the second, or to the minute; with Z or an offset. */
function timestamp(random: Random, instant: number): string {
  const [unit, digits] = random.pick([
    [1, 23],
    [1000, 19],
    [60_000, 16],
  ] as const);
  const offset = random.chance(0.5) ? 0 : 3.5 * 3600_000;
  const shown = new Date(Math.floor(instant / unit) * unit + offset).toISOString();
  return `${shown.slice(0, digits)}${offset === 0 ? 'Z' : '+03:30'}`;
}
