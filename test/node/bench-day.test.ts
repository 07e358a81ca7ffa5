/** The simulated day at the edge: what it is made of, and what it can be trusted with. */
import { describe, expect, it } from 'vitest';
import type { Results, SizeResult } from '../../bench/report/results.ts';
import { quantilesOf } from '../../bench/report/statistics.ts';
import { drawArrivals } from '../../bench/simulation/arrivals.ts';
import { type CaseCosts, type Costs, costsOf, runsOfCosts } from '../../bench/simulation/costs.ts';
import { type DayResult, type Design, simulateDay } from '../../bench/simulation/day.ts';
import { Kv, SHORT_LIFE } from '../../bench/simulation/kv.ts';
import { PLACES, roundTrip, WORLD, type World } from '../../bench/simulation/world.ts';

const SEED = 7;
const HOUR = 3_600;
const PARIS = 0;
const FRANKFURT = 1;
const SYDNEY = PLACES.length - 1;

const SMALL: World = { ...WORLD, mapRequests: 3_000, lookUps: 1_000, copies: 2 };

const CASE: CaseCosts = {
  ...{ parts: 2, chunks: 4, freshCpu: 20, readingCpu: 5, heldCpu: 0.5 },
  ...{ queries: 1, beyondDelays: 10, d1Cpu: 2 },
};
const COSTS: Costs = {
  storeCount: 1_000,
  cases: { 'near-city': CASE, 'near-wide': CASE, get: CASE, 'get-slug': CASE, list: CASE },
  ...{ releaseBytes: 10e6, chunkBytes: 50_000, chunks: 200, changedShare: 0.05 },
};

const simulate = (some: Partial<World> = {}) => simulateDay({ ...SMALL, ...some }, COSTS, SEED);
const timesOf = ({ answers }: DayResult, design: Design) =>
  answers.map(({ milliseconds }) => milliseconds[design]);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('requests of a day', () => {
  const arrivals = drawArrivals(SMALL, COSTS.storeCount, SEED);

  it('come in the order of time, as many as there are, each copy page after page', () => {
    expect(arrivals).toHaveLength(3_000 + 1_000 + 2 * 10);
    expect(
      arrivals.every(({ at }, index) => index === 0 || at >= (arrivals[index - 1]?.at ?? 0)),
    ).toBe(true);
    const pages = arrivals.filter(({ kind }) => kind === 'copy');
    expect(pages.every(({ at }) => at >= HOUR && at < 4 * HOUR + 10)).toBe(true);
    expect(new Set(pages.map(({ subject }) => subject)).size).toBe(10);
  });

  it('come where and when people are awake', () => {
    const share = (place: number) =>
      arrivals.filter((arrival) => arrival.place === place).length / arrivals.length;
    expect(share(PARIS)).toBeCloseTo(0.24, 1);
    const ofSydney = arrivals.filter(({ place, kind }) => place === SYDNEY && kind !== 'copy');
    // 15 o'clock in Sydney is 4 o'clock UTC.
    const day = ofSydney.filter(({ at }) => at < 10 * HOUR || at > 22 * HOUR);
    expect(day.length / ofSydney.length).toBeGreaterThan(0.6);
  });
});

describe('a read of KV', () => {
  const world = { ...WORLD, kvHot: 1, kvRegional: 100, kvCentral: 10_000 };
  /** Which tier so many milliseconds come from: the slowest read of one is quicker than the next. */
  const tierOf = (milliseconds: number) =>
    milliseconds < 10 ? 'place' : milliseconds < 1_000 ? 'region' : 'centre';

  it('comes from the nearest tier that has the value, and leaves it there', () => {
    const kv = new Kv(world, SEED);
    const read = (place: number, now: number) => tierOf(kv.readObject(place, 5, now));
    expect([read(PARIS, 0), read(PARIS, 10), read(FRANKFURT, 20), read(FRANKFURT, 30)]).toEqual([
      ...['centre', 'place', 'region', 'place'],
    ]);
    expect(read(SYDNEY, 40)).toBe('centre');
    expect(kv.reads).toBe(5);
  });

  it('is forgotten by the caches when nobody asks for long, or when it may not be kept', () => {
    const kv = new Kv(world, SEED);
    const life = world.cacheHours * HOUR;
    const object = [0, life - 1, 2 * life - 3, 4 * life].map((now) =>
      tierOf(kv.readObject(PARIS, 5, now)),
    );
    expect(object).toEqual(['centre', 'place', 'place', 'centre']);
    const short = [0, SHORT_LIFE - 1, SHORT_LIFE + 1].map((now) =>
      tierOf(kv.readShort(PARIS, 6, now)),
    );
    expect(short).toEqual(['centre', 'place', 'centre']);
  });
});

describe('a day', () => {
  const day = simulate();

  it('is the same for the same seed, and another for another', () => {
    expect(simulate()).toEqual(day);
    expect(simulateDay(SMALL, COSTS, SEED + 1).answers).not.toEqual(day.answers);
  });

  it('gives a request the delays that it waits for, and its CPU', () => {
    const first = day.answers.find(({ isFirst }) => isFirst);
    // Pointer beside token, parts, chunks: three steps, none of them quicker than the place.
    expect(first?.milliseconds.service).toBeGreaterThan(3 * 0.7 * WORLD.kvHot + CASE.freshCpu);
    expect(Math.min(...timesOf(day, 'service'))).toBe(CASE.heldCpu);
    const nearest = 0.7 * roundTrip(0) + CASE.beyondDelays;
    expect(Math.min(...timesOf(day, 'd1'))).toBeGreaterThanOrEqual(nearest);
    expect(day.queries).toBe(day.answers.length);
    expect(day.cpu.d1).toBeCloseTo((day.answers.length * CASE.d1Cpu) / 1_000, 6);
  });

  it('reads pointer, token, parts and chunks for one request, each once', () => {
    const one = (some: Partial<World>) =>
      simulate({ mapRequests: 0, lookUps: 0, copies: 0, ...some }).kvReads;
    expect(one({ mapRequests: 1 })).toEqual({ service: 1 + 1 + 2 + 4, d1: 1 });
    expect(one({ lookUps: 1 }).service).toBe(1 + 1 + 2 + 4);
  });

  it('has fewer first requests the longer isolates live, and the fewer there are', () => {
    const firsts = (some: Partial<World>) =>
      simulate(some).answers.filter(({ isFirst }) => isFirst).length;
    const usual = firsts({});
    expect(firsts({ isolateLife: 35 })).toBeLessThan(usual);
    expect(firsts({ isolates: 8 })).toBeGreaterThan(usual);
    expect(firsts({ isolates: 1, isolateLife: 1e6 })).toBe(PLACES.length);
  });

  it('depends on KV for the service, and on the distance for D1 alone', () => {
    const far = simulate({ kvCentral: 2 * WORLD.kvCentral });
    expect(sum(timesOf(far, 'service'))).toBeGreaterThan(sum(timesOf(day, 'service')));
    const further = simulate({ d1Distance: 2 });
    expect(timesOf(further, 'service')).toEqual(timesOf(day, 'service'));
    expect(quantilesOf(timesOf(further, 'd1')).p50).toBeGreaterThan(
      quantilesOf(timesOf(day, 'd1')).p50,
    );
  });

  it('reads more where more is published, and where less is kept', () => {
    expect(simulate({ publications: 96 }).kvReads.service).toBeGreaterThan(day.kvReads.service);
    const large = { ...COSTS, releaseBytes: 500e6, chunks: 10_000 };
    const reads = (keptMegabytes: number) =>
      simulateDay({ ...SMALL, keptMegabytes }, large, SEED).kvReads.service;
    expect(reads(0.5)).toBeGreaterThan(reads(50));
  });
});

describe('the costs of a request', () => {
  it('are not made up where nothing was measured', () => {
    const nothing = { storeCount: 2_500, cold: [], cases: [], d1: [] } as unknown as SizeResult;
    expect(() => costsOf(nothing, 40)).toThrow('nothing of near-city, cold: run npm run bench');
  });

  it('are told with every run that they were measured in, each once', () => {
    const run = (commit: string) => ({ date: '2026-11-22', commit });
    const sizes = [
      { apart: { cold: run('second'), soak: run('of no use here') } },
      { apart: { cold: run('second'), d1: run('third') } },
      {},
    ];
    const results = { environment: run('first'), sizes } as unknown as Results;
    expect(runsOfCosts(results)).toEqual([run('first'), run('second'), run('third')]);
  });
});
