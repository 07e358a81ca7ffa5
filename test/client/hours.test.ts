/** Opening hours of the client against an oracle of their own, over HOURS_MONTHS. */
import { describe, expect, it } from 'vitest';
import {
  isOpenAt,
  nextClosing,
  nextOpening,
  type StoreDay,
  weekOf,
} from '../../client/src/opening-hours.ts';
import { Random } from '../../fixtures/generator/random.ts';
import { DAY, endOfSecond, HORIZON, HoursOracle } from '../support/oracle/hours.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { type HoursCase, hardCases } from './support/hours-cases.ts';

const SEEDS = [1, 2];
const MONTHS = Number(process.env.HOURS_MONTHS ?? 1.5);
const INSTANTS = 200;
const MINUTE = 60_000;

const cases = SEEDS.flatMap((seed) => hardCases(seed, MONTHS));

/** Every instant at which a row or closure begins or ends, or clocks change, 1 ms before and after. */
function* boundaries(oracle: HoursOracle, { temporal, from, to }: HoursCase): Generator<number> {
  const { openingHours, openingHoursLowSeason } = temporal.schedule;
  const times = new Set(['00:00', '12:00']);
  for (const row of [...openingHours, ...openingHoursLowSeason]) times.add(row.from).add(row.to);
  let offset = Number.NaN;
  for (const instant of oracle.candidates(from, to)) {
    const shown = oracle.shownAt(instant);
    const before = offset;
    offset = Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(instant / MINUTE) * MINUTE;
    const isEdge = instant % MINUTE !== 0 || times.has(shown.slice(11)) || offset !== before;
    if (isEdge) yield* [instant - 1, instant, instant + 1];
  }
}

describe('opening hours', () => {
  /** What random instants have met. */
  const met = new Set<string>();
  let boundaryCount = 0;

  it.each(cases)('are right: $name', (each) => {
    const { temporal, from, to } = each;
    const oracle = new HoursOracle(temporal);
    const random = new Random(from, 0);
    const instants = Array.from({ length: INSTANTS }, () => random.integer(from, to - 1));
    const edges = [...boundaries(oracle, each)];
    boundaryCount += edges.length;
    const wrong = [...edges, ...instants].filter(
      (instant) => isOpenAt(each, new Date(instant)) !== oracle.isOpen(instant),
    );
    expect(wrong.map((instant) => oracle.shownAt(instant))).toEqual([]);
    for (const instant of instants) {
      met
        .add(expectNext(each, oracle, instant, true))
        .add(expectNext(each, oracle, instant, false));
      met.add(expectDay(each, oracle, instant));
    }
  });

  it('are tried where they are hard', () => {
    expect(boundaryCount).toBeGreaterThan(cases.length * 200);
    expect(met).toEqual(new Set([...NEXT, ...DAY_STATES]));
  });
});

const NEXT = ['none', 'now', 'later'];
const DAY_STATES = ['open', 'open, closed', 'shut', 'shut, closed'];

/** The next opening or closing is right. @returns when it is */
function expectNext(store: HoursCase, oracle: HoursOracle, instant: number, open: boolean): string {
  const next = (open ? nextOpening : nextClosing)(store, new Date(instant));
  const right = oracle.next(instant, open);
  if ((next?.getTime() ?? null) !== right) {
    expect.unreachable(`${oracle.shownAt(instant)} ${open}: ${next} ≠ ${right}`);
  }
  return right === null ? 'none' : right === instant ? 'now' : 'later';
}

/** The day of `instant` is the same in every week that has it, and says whether the store is open then. */
function expectDay(store: HoursCase, oracle: HoursOracle, instant: number): string {
  const [date = '', time = ''] = oracle.shownAt(instant).split(' ');
  const weekBefore = new Date(Date.parse(date) - 6 * DAY).toISOString().slice(0, 10);
  const day = weekOf(store, weekBefore)[6] as StoreDay;
  expect(day).toEqual({ ...weekOf(store, date)[0], date });
  const isListed = day.open.some((open) => open.from <= time && time < open.to);
  const isClosed = day.closures.some(
    ({ from, to }) => Date.parse(from) <= instant && instant <= endOfSecond(Date.parse(to)),
  );
  expect(isOpenAt(store, new Date(instant)), `${date} ${time}`).toBe(isListed && !isClosed);
  return `${isListed ? 'open' : 'shut'}${isClosed ? ', closed' : ''}`;
}

/** Open all day, but for a closure. */
const closedUntil = (to: string, from = '2026-01-01T00:00:00Z') =>
  buildStore(1, {
    'temporal.timezone': 'UTC',
    'temporal.schedule.openingHours.0.from': '00:00',
    'temporal.schedule.openingHours.0.to': '00:00',
    'temporal.schedule.closedRanges': [{ id: 'b', from, to }],
  });
const start = new Date('2026-01-01T00:00:00Z');

describe('a closure', () => {
  it.each([
    ['2026-01-01T23:59:59Z', '2026-01-02T00:00:00.000Z'],
    ['2026-01-01T23:59:59.000Z', '2026-01-02T00:00:00.000Z'],
    ['2026-01-01T23:59:59.9999Z', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T00:00:00.001Z', '2026-01-02T00:00:01.000Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01.000Z'],
  ])('until %s has its last second: the store opens at %s', (to, opening) => {
    expect(nextOpening(closedUntil(to), start)?.toISOString()).toBe(opening);
    expect(isOpenAt(closedUntil(to), new Date(Date.parse(opening) - 1))).toBe(false);
  });

  it('that ends before it begins closes nothing, not even within a second', () => {
    const store = closedUntil('2026-01-01T00:00:00.300Z', '2026-01-01T00:00:00.700Z');
    for (const time of [0, 300, 700, 999]) {
      expect(isOpenAt(store, new Date(start.getTime() + time))).toBe(true);
    }
  });
});

describe('the horizon', () => {
  it('is 366 days, its end included', () => {
    const end = new Date(start.getTime() + HORIZON);
    const secondBefore = new Date(end.getTime() - 1000).toISOString();
    expect(nextOpening(closedUntil(secondBefore), start)).toEqual(end);
    expect(nextOpening(closedUntil(end.toISOString()), start)).toBeNull();
  });

  it('finds no closing of a store that never closes', () => {
    expect(nextClosing(closedUntil('2025-01-01T00:00:00Z'), start)).toBeNull();
  });
});

describe('what cannot be told', () => {
  const [first] = cases as [HoursCase];

  it('is refused: an invalid date', () => {
    for (const ask of [isOpenAt, nextOpening, nextClosing]) {
      expect(() => ask(first, new Date(Number.NaN))).toThrow(RangeError);
    }
  });

  it('is refused: a week from what is no date', () => {
    for (const text of ['2026-02-30', '2026-1-1', 'today', '']) {
      expect(() => weekOf(first, text), text).toThrow(RangeError);
    }
  });

  it('is refused: a zone that the runtime does not know', () => {
    const nowhere = buildStore(1, { 'temporal.timezone': 'Atlantic/Atlantis' });
    expect(() => isOpenAt(nowhere, new Date())).toThrow(RangeError);
  });
});
