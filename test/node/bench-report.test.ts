/** What the benchmark makes of its measurements. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BENCH_FOLDER } from '../../bench/folders.ts';
import { holdBars } from '../../bench/report/bars.ts';
import { milliseconds, percentiles, times, timesWithin } from '../../bench/report/format.ts';
import { writeMarkdown } from '../../bench/report/markdown.ts';
import { drawPlot } from '../../bench/report/plot.ts';
import type {
  CaseResult,
  ColdFigures,
  RegimeResult,
  Results,
  SizeResult,
} from '../../bench/report/results.ts';
import { percentilesOf, ratioSpread, spreadOf } from '../../bench/report/statistics.ts';
import type { CaseName } from '../../bench/requests/request.ts';

describe('a spread', () => {
  it('has the middle value, of an even number the mean of both', () => {
    expect(spreadOf([5, 1, 3])).toMatchObject({ median: 3, min: 1, max: 5 });
    expect(spreadOf([4, 1, 2, 9])).toMatchObject({ median: 3, min: 1, max: 9 });
  });

  it('orders by value, not by text, and leaves its input alone', () => {
    const values = [10, 9, 100];
    expect(spreadOf(values).median).toBe(10);
    expect(values).toEqual([10, 9, 100]);
  });

  it('has a standard error that one disturbed round does not change', () => {
    // Absolute deviations 0, 1, 1, 2, 2: the middle one is 1.
    const error = (1.2533 * 1.4826) / Math.sqrt(5);
    expect(spreadOf([1, 2, 3, 4, 5]).error).toBeCloseTo(error, 12);
    expect(spreadOf([1, 2, 3, 4, 500]).error).toBeCloseTo(error, 12);
    expect(spreadOf([7]).error).toBe(0);
  });

  it('of nothing is refused', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });

  it('is no number if one of its values is none: a round that was not measured is not left out', () => {
    for (const values of [
      [Number.NaN, 1, 2],
      [1, Number.NaN, 2],
      [1, 2, Number.NaN],
    ]) {
      expect(spreadOf(values)).toMatchObject({ median: Number.NaN, error: Number.NaN });
    }
  });

  it('of ratios compares within a round', () => {
    expect(ratioSpread([10, 40, 90], [10, 20, 30])).toMatchObject({ median: 2, min: 1, max: 3 });
    expect(() => ratioSpread([1], [1, 2])).toThrow(RangeError);
  });
});

describe('figures', () => {
  it('have as many digits as they mean something', () => {
    expect([0.834, 9.54, 336.2].map(times)).toEqual(['0.83×', '9.5×', '336×']);
    expect(timesWithin({ ...steady(2), min: 1, max: 3 })).toBe('2.0× (1.0× to 3.0×)');
    expect([0.237, 8.31, 143.4].map(milliseconds)).toEqual(['0.24 ms', '8.3 ms', '143 ms']);
  });

  it('tell what half of the requests take, and what all but one in twenty do', () => {
    const values = Array.from({ length: 101 }, (_, value) => value);
    expect(percentilesOf(values)).toEqual({ p50: 50, p95: 95 });
    expect(percentiles({ p50: 50, p95: 95.4 })).toBe('50 ms (95)');
  });
});

describe('bars', () => {
  const find = (results: Results, what: string) =>
    holdBars(results).find((bar) => bar.what.startsWith(what));
  const atSmall = (some: Partial<SizeResult>) => resultsOf({ ...sizeOf(2_500), ...some });
  const atLarge = (some: Partial<SizeResult>) => resultsOf({ ...sizeOf(100_000), ...some });

  it('are missed when the median lies beyond by more than its standard error', () => {
    const measured = (median: number) =>
      find(atSmall({ cases: [hotCase('list', { ...steady(median), error: 0.02 })] }), 'hot: list');
    expect(measured(0.84)).toMatchObject({ measured: '0.84×', holds: true });
    expect(measured(0.82)).toMatchObject({ holds: false });
  });

  it('are missed by what is no number, at least and at most, as the worst of all', () => {
    const shares = (...medians: readonly number[]) =>
      medians.map((median) => ({ ...hotCase('list', steady(1)), wholeAgainstHot: steady(median) }));
    const missed = { measured: 'no number (list 100 by id, whole stores)', holds: false };
    for (const median of [Number.NaN, Number.POSITIVE_INFINITY, JSON.parse('null')]) {
      const bar = find(atSmall({ cases: shares(1, median, 2) }), 'whole, 2,500 stores: share');
      expect(bar).toMatchObject(missed);
      const cold = [{ name: 'list' as const, fresh: coldOf(median, 3), documents: coldOf(80, 1) }];
      expect(find(atSmall({ cold }), 'cold, fresh isolate, 2,500 stores: p50')).toMatchObject({
        ...{ measured: 'no number', holds: false },
      });
    }
    const unsure = hotCase('list', { ...steady(1), error: Number.NaN });
    expect(find(atSmall({ cases: [unsure] }), 'hot: list')).toMatchObject({ holds: false });
  });

  it('say nothing of what was not measured', () => {
    expect(find(atSmall({}), 'hot: list of 100 whole')).toMatchObject({
      ...{ measured: null, holds: null },
    });
  });

  it('name the worst case and count those that miss', () => {
    const wholeCase = (name: CaseName, median: number): CaseResult => {
      return { name, hot: null, whole: null, wholeAgainstHot: steady(median) };
    };
    const cases = [wholeCase('get', 0.95), wholeCase('names', 0.5), wholeCase('list', 0.8)];
    expect(find(atSmall({ cases }), 'whole, 2,500 stores: share')).toMatchObject({
      measured: '0.50× (list 100 by name); 2 of 3 missed',
      holds: false,
    });
  });

  it('grow with a slow machine, and never shrink', () => {
    const cpu = { ...steady(1), median: 10_000 };
    const cases = [{ ...hotCase('list', steady(1)), whole: regimeOf(steady(1), cpu) }];
    const held = (yardstick: number) =>
      find(atLarge({ cases, yardstick: steady(yardstick) }), 'whole, 100,000 stores: CPU of a list')
        ?.holds;
    expect([held(900), held(450), held(45)]).toEqual([true, false, false]);
  });

  it('ask less of a get than of other cold requests', () => {
    const cold = (name: CaseName, p50: number) => [
      { name, fresh: coldOf(p50, 3), documents: coldOf(80, 1) },
    ];
    const held = (name: CaseName) =>
      find(atSmall({ cold: cold(name, 180) }), 'cold, fresh isolate, 2,500 stores: p50')?.holds;
    expect([held('get-slug'), held('list')]).toEqual([false, true]);
  });

  it('give cold documents ten milliseconds a megabyte of chunks', () => {
    const held = (chunkBytes: number) => {
      const documents = { ...coldOf(95, 1), chunkBytes };
      const cold = [{ name: 'list' as const, fresh: coldOf(150, 3), documents }];
      return find(atSmall({ cold }), 'cold documents, 2,500 stores: p50')?.holds;
    };
    expect([held(1e6), held(2e6)]).toEqual([false, true]);
  });

  it('take the worst moment of heap and buffers together', () => {
    const phase = (title: string, megabytes: number) => {
      return { title, heap: megabytes * 2 ** 19, buffers: megabytes * 2 ** 19 };
    };
    const memory = {
      ...{ seconds: 1, requests: 1, failed: 0, looks: 1 },
      ...{ followedPublication: true, followedRollback: false },
      phases: [phase('calm', 60), phase('storm', 129)],
    };
    expect(find(atLarge({ memory }), 'memory, 100,000 stores: worst')).toMatchObject({
      measured: '129 MiB (storm)',
      holds: false,
    });
    expect(find(atLarge({ memory }), 'memory, 100,000 stores: failed')?.holds).toBe(false);
  });
});

describe('the report', () => {
  it('begins with what a partner notices', () => {
    const cold = [{ name: 'list' as const, fresh: coldOf(150, 3), documents: coldOf(80, 1) }];
    const size = { ...sizeOf(2_500), cases: [hotCase('list', steady(1))], cold };
    const text = writeMarkdown(resultsOf(size), { conflicts: 'None.', tried: 'Nothing.' });
    const row = '| list 100 by id, whole stores | 150 ms (150) | 80 ms (80) |  | 0.50 ms (0.70) |';
    expect(text).toContain(row);
    expect(text.indexOf(row)).toBeLessThan(text.indexOf('## Bars'));
  });

  it('in the repository is what today’s code makes of the results beside it', async () => {
    const read = (file: string) => readFile(join(BENCH_FOLDER, file), 'utf8');
    const results: Results = JSON.parse(await read('results.json'));
    const [conflicts, tried] = [await read('conflicts.md'), await read('tried.md')];
    const isToday = writeMarkdown(results, { conflicts, tried }) === (await read('RESULTS.md'));
    expect(isToday, 'npm run bench -- --report writes it anew').toBe(true);
  });
});

describe('the plot', () => {
  it('has one bar for each case and size, none longer than the limit', () => {
    const cases = (first: number, second: number) => [
      hotCase('get', steady(first)),
      hotCase('list', steady(second)),
    ];
    const svg = drawPlot(
      resultsOf(
        { ...sizeOf(2_500), cases: cases(0.5, 1.4) },
        { ...sizeOf(100_000), cases: cases(0.25, 0.5) },
      ),
    );
    const widths = [...svg.matchAll(/<rect x="220" y="\d+" width="([\d.]+)" height="9"/g)].map(
      ([, width]) => Number(width),
    );
    const whole = Math.max(...widths);
    expect(widths.map((width) => width / whole)).toEqual([0.5, 0.25, 1, 0.5]);
  });
});

function resultsOf(...sizes: SizeResult[]): Results {
  const environment = {
    ...{ date: '2026-01-01', commit: 'abc', machine: 'none', cores: 1, memory: 1, system: 'none' },
    ...{ node: 'v24', workerd: '1', connections: 1, rounds: 1, secondsPerRound: 1, latency: 40 },
  };
  return { environment, sizes };
}

function sizeOf(storeCount: number): SizeResult {
  const nothing = {
    yardstick: null,
    orders: null,
    crowd: null,
    memory: null,
    publishing: null,
    changes: null,
    soak: null,
  };
  return { storeCount, releaseBytes: 1, cases: [], cold: [], d1: [], ...nothing };
}

function steady(median: number) {
  return { median, min: median, max: median, error: 0 };
}

function hotCase(name: CaseName, ratio: ReturnType<typeof steady>): CaseResult {
  return { name, hot: regimeOf(ratio, steady(1)), whole: null, wholeAgainstHot: null };
}

function regimeOf(limit: ReturnType<typeof steady>, cpu: ReturnType<typeof steady>): RegimeResult {
  const ours = { perSecond: steady(1), cpu, bytes: 1 };
  const milliseconds = { p50: 0.5, p95: 0.7 };
  return { contenders: { ours }, ratios: { limit }, milliseconds, objectReads: 0 };
}

function coldOf(p50: number, steps: number): ColdFigures {
  const counts = { cpu: null, operations: 1, keys: 1, chunkBytes: 0 };
  const milliseconds = { p50, p95: p50 };
  const measured = { milliseconds, steps: steady(steps) };
  return { ...measured, even: measured, ...counts };
}
