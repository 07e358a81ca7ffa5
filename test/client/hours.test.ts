/** Opening hours of the client against an oracle of their own, over HOURS_MONTHS. */
import { describe, expect, it } from 'vitest';
import {
  isOpenAt,
  nextClosing,
  nextOpening,
  type StoreDay,
  weekOf,
} from '../../src/hours/opening-hours.ts';
import { HORIZON, type Hours, HoursOracle } from '../support/oracle/hours.ts';
import { randomFrom } from '../support/simulated-world.ts';
import { type HoursCase, hardCases } from './support/hours-cases.ts';

const SEEDS = [1, 2];
const MONTHS = Number(process.env.HOURS_MONTHS ?? 1.5);
const INSTANTS = 200;
const MINUTE = 60_000;

const cases = SEEDS.flatMap((seed) => hardCases(seed, MONTHS));

const oracles = new Map<HoursCase, HoursOracle>();

/** The oracle of a case, which remembers what it has found. */
function oracleOf(hoursCase: HoursCase): HoursOracle {
  const oracle = oracles.get(hoursCase) ?? new HoursOracle(hoursCase.temporal, hoursCase.from);
  oracles.set(hoursCase, oracle);
  return oracle;
}

/** What client and oracle say differently, in words. */
function differences(oracle: HoursOracle, temporal: Hours, instants: Iterable<number>): string[] {
  const found: string[] = [];
  for (const instant of instants) {
    const given = isOpenAt({ temporal }, new Date(instant));
    if (given !== oracle.isOpen(instant)) {
      found.push(`${new Date(instant).toISOString()} (${oracle.shownAt(instant)}): ${given}`);
    }
  }
  return found;
}

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

function randomInstants({ from, to }: Pick<HoursCase, 'from' | 'to'>, seed: number): number[] {
  const random = randomFrom(seed);
  return Array.from({ length: INSTANTS }, () => Math.floor(from + random() * (to - from)));
}

describe('opening hours', () => {
  it('are right around every boundary and change of clocks', () => {
    let count = 0;
    for (const each of cases) {
      const oracle = oracleOf(each);
      const instants = [...boundaries(oracle, each)];
      count += instants.length;
      expect(differences(oracle, each.temporal, instants), each.name).toEqual([]);
    }
    expect(count).toBeGreaterThan(cases.length * 200);
  });

  it('are those of the dates that a week has of them', () => {
    const said = new Set<string>();
    for (const [index, { name, temporal, from, to }] of cases.entries()) {
      const oracle = oracleOf(cases[index] as HoursCase);
      for (const instant of randomInstants({ from, to }, index)) {
        const [date = '', time = ''] = oracle.shownAt(instant).split(' ');
        const weekBefore = new Date(Date.parse(date) - 6 * 86_400_000).toISOString().slice(0, 10);
        const day = weekOf({ temporal }, weekBefore)[6] as StoreDay;
        expect(day, name).toEqual(weekOf({ temporal }, date)[0]);
        expect(day.date).toBe(date);
        const isListed = day.open.some((open) => open.from <= time && time < open.to);
        const isClosed = day.closures.some(
          (range) => Date.parse(range.from) <= instant && instant <= Date.parse(range.to),
        );
        const isOpen = isListed && !isClosed;
        const where = `${name} ${date} ${time}`;
        expect(isOpenAt({ temporal }, new Date(instant)), where).toBe(isOpen);
        said.add(`${isListed} ${isClosed}`);
      }
    }
    expect(said.size).toBe(4);
  });

  it('are right at random instants, and so are the next opening and closing', () => {
    const answers = { null: 0, now: 0, later: 0 };
    for (const [index, each] of cases.entries()) {
      const { temporal } = each;
      const oracle = oracleOf(each);
      const instants = randomInstants(each, index);
      expect(differences(oracle, temporal, instants), each.name).toEqual([]);
      for (const instant of instants) {
        const asked = new Date(instant);
        for (const [open, next] of [
          [true, nextOpening({ temporal }, asked)],
          [false, nextClosing({ temporal }, asked)],
        ] as const) {
          const right = oracle.next(instant, open);
          if ((next?.getTime() ?? null) !== right) {
            expect.unreachable(`${each.name} ${asked.toISOString()} ${open}: ${next} ≠ ${right}`);
          }
          answers[right === null ? 'null' : right === instant ? 'now' : 'later']++;
        }
      }
    }
    expect(Object.values(answers).every((number) => number > 0)).toBe(true);
  });
});

describe('the horizon', () => {
  const closedUntil = (to: string): { temporal: Hours } => ({
    temporal: {
      timezone: 'UTC',
      schedule: {
        openingHours: [{ id: 'a', day: '*', from: '00:00', to: '00:00', open: true }],
        openingHoursLowSeason: [],
        lowSeasonRanges: [],
        closedRanges: [{ id: 'b', from: '2026-01-01T00:00:00Z', to }],
      },
    },
  });
  const start = new Date('2026-01-01T00:00:00Z');

  it('is 366 days, its end included', () => {
    const end = new Date(start.getTime() + HORIZON);
    const justBefore = new Date(end.getTime() - 1).toISOString();
    expect(nextOpening(closedUntil(justBefore), start)).toEqual(end);
    expect(nextOpening(closedUntil(end.toISOString()), start)).toBeNull();
  });

  it('finds no closing of a store that never closes', () => {
    const always = closedUntil('2025-01-01T00:00:00Z');
    expect(nextClosing(always, start)).toBeNull();
    expect(nextOpening(always, start)).toEqual(start);
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
    const nowhere = { temporal: { ...first.temporal, timezone: 'Atlantic/Atlantis' } };
    expect(() => isOpenAt(nowhere, new Date())).toThrow(RangeError);
  });
});

describe('rows of every day', () => {
  it('count beside the rows of a weekday', () => {
    const row = { id: 'a', from: '09:00', to: '18:00', open: true };
    const temporal: Hours = {
      timezone: 'UTC',
      schedule: {
        openingHours: [
          { ...row, day: '*' },
          { ...row, day: '5', from: '20:00', to: '22:00' },
          { ...row, day: '2', from: '12:00', to: '14:00', open: false },
        ],
        openingHoursLowSeason: [],
        lowSeasonRanges: [],
        closedRanges: [],
      },
    };
    const isOpen = (time: string) => isOpenAt({ temporal }, new Date(`${time}Z`));
    expect(isOpen('2026-06-05T10:00')).toBe(true); // Friday, by the row of every day
    expect(isOpen('2026-06-05T21:00')).toBe(true); // Friday evening, by its own
    expect(isOpen('2026-06-04T21:00')).toBe(false);
    expect(isOpen('2026-06-02T13:00')).toBe(false); // Tuesday at lunch
    expect(isOpen('2026-06-02T15:00')).toBe(true);
  });
});
