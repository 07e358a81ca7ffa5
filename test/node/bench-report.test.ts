/** What the benchmark makes of its measurements. */
import { describe, expect, it } from 'vitest';
import { holdBars } from '../../bench/report/bars.ts';
import { times, timesWithin } from '../../bench/report/format.ts';
import { drawPlot } from '../../bench/report/plot.ts';
import type { CaseResult, Results, SizeResult } from '../../bench/report/results.ts';
import { meanRatio, ratioSpread, spreadOf } from '../../bench/report/statistics.ts';

describe('a spread', () => {
  it('has the middle value, of an even number the mean of both', () => {
    expect(spreadOf([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
    expect(spreadOf([4, 1, 2, 9])).toEqual({ median: 3, min: 1, max: 9 });
  });

  it('orders by value, not by text, and leaves its input alone', () => {
    const values = [10, 9, 100];
    expect(spreadOf(values).median).toBe(10);
    expect(values).toEqual([10, 9, 100]);
  });

  it('of nothing is refused', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });

  it('of ratios compares within a round', () => {
    expect(ratioSpread([10, 40, 90], [10, 20, 30])).toEqual({ median: 2, min: 1, max: 3 });
    expect(() => ratioSpread([1], [1, 2])).toThrow(RangeError);
  });

  it('has a typical ratio in which half as fast undoes twice as fast', () => {
    expect(meanRatio([0.5, 2])).toBeCloseTo(1, 12);
    expect(() => meanRatio([])).toThrow(RangeError);
  });
});

describe('figures', () => {
  it('have as many digits as they mean something', () => {
    expect([0.834, 9.54, 336.2].map(times)).toEqual(['0.83×', '9.5×', '336×']);
    expect(timesWithin({ median: 2, min: 1, max: 3 })).toBe('2.0× (1.0× to 3.0×)');
  });
});

describe('bars', () => {
  const find = (results: Results, what: string) =>
    holdBars(results).find((bar) => bar.what.startsWith(what));

  it('hold or are missed by the median ratio', () => {
    const good = resultsOf(sizeOf(2_500, [caseOf('list', 0.8)]));
    const bad = resultsOf(sizeOf(2_500, [caseOf('list', 0.79)]));
    expect(find(good, 'list of 100')).toMatchObject({ measured: '0.80×', holds: true });
    expect(find(bad, 'list of 100')).toMatchObject({ holds: false });
  });

  it('say nothing of what was not measured', () => {
    const bar = find(resultsOf(sizeOf(2_500, [caseOf('get', 1)])), 'throughput at 100,000');
    expect(bar).toMatchObject({ measured: null, holds: null });
  });

  it('compare sizes in shares of the limit, over all cases', () => {
    const results = resultsOf(
      sizeOf(2_500, [caseOf('get', 0.8), caseOf('list', 0.8)]),
      sizeOf(100_000, [caseOf('get', 0.4), caseOf('list', 1.6)]),
    );
    expect(find(results, 'throughput at 100,000')).toMatchObject({ measured: '1.0×', holds: true });
  });

  it('take what the isolate holds in heap and buffers', () => {
    const heavy = { ...sizeOf(100_000, []), load: loadOf({ heap: 60e6, buffers: 51e6 }) };
    expect(find(resultsOf(heavy), 'isolate')).toMatchObject({ measured: '111.0 MB', holds: false });
  });
});

describe('the plot', () => {
  it('has one bar for each case and size, none longer than the limit', () => {
    const svg = drawPlot(
      resultsOf(
        sizeOf(2_500, [caseOf('get', 0.5), caseOf('list', 1.4)]),
        sizeOf(100_000, [caseOf('get', 0.25), caseOf('list', 0.5)]),
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
    ...{ node: 'v24', workerd: '1', connections: 1, rounds: 1, secondsPerRound: 1 },
  };
  return { environment, sizes };
}

function sizeOf(storeCount: number, cases: CaseResult[]): SizeResult {
  const load = loadOf({ heap: 1, buffers: 1 });
  const nothing = { costs: [], firstRequests: [], publishing: null };
  return { storeCount, releaseBytes: 1, cases, load, ...nothing };
}

function loadOf(peak: { heap: number; buffers: number }) {
  return { seconds: 1, requests: 1, kvReads: 1, peak, held: peak };
}

function caseOf(name: CaseResult['name'], ratio: number): CaseResult {
  const limit = { median: ratio, min: ratio, max: ratio };
  return { name, title: name, contenders: {}, ratios: { limit } };
}
