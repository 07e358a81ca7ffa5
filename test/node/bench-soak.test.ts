/** What the benchmark makes of a soak, and how a part of it is recorded by itself. */
import { describe, expect, it } from 'vitest';
import { changesBars, soakBars } from '../../bench/report/bars-across-releases.ts';
import { recordApart, recordFullRun } from '../../bench/report/record.ts';
import type { Results, SizeResult, SoakResult } from '../../bench/report/results.ts';
import { sizeSections } from '../../bench/report/size-sections.ts';
import { soakSection } from '../../bench/report/soak.ts';
import { quantilesOf } from '../../bench/report/statistics.ts';

const MIB = 2 ** 20;

describe('the bars of a soak', () => {
  const held = (...megabytes: readonly number[]) =>
    megabytes.map((all, index) => {
      return { minute: index + 1, heap: (all - 10) * MIB, buffers: 10 * MIB };
    });
  const judge = (soak: Partial<SoakResult>) => soakBars(sizeOf({ soak: soakOf(soak) }));

  it('hold what is held at minute 30 against minute 5, whatever was in between', () => {
    const growing = (last: number) =>
      held(30, 60, 90, 99, 100, ...Array.from({ length: 24 }, () => 150), last);
    const shareOf = (last: number) => judge({ held: growing(last) })[1];
    expect(shareOf(105)).toMatchObject({ measured: '105.0 %', holds: true });
    expect(shareOf(106)).toMatchObject({ measured: '106.0 %', holds: false });
  });

  it('say nothing of memory after a short try', () => {
    expect(judge({ minutes: 3, held: held(50, 50, 99) })[1]).toMatchObject({ holds: null });
  });

  it('count failed answers and turns that were not followed', () => {
    const holds = (soak: Partial<SoakResult>) => judge(soak)[0]?.holds;
    expect(holds({})).toBe(true);
    expect(holds({ failed: 1 })).toBe(false);
    expect(holds({ turns: 30, followed: 29 })).toBe(false);
  });

  it('quote failed answers in the report', () => {
    const size = sizeOf({ soak: soakOf({ failed: 1, failures: ['GET /x: 503 with 9 bytes'] }) });
    expect(soakSection(size).join('\n')).toContain('- `GET /x: 503 with 9 bytes`');
  });
});

describe('quantiles', () => {
  it('reach into the tail', () => {
    const values = Array.from({ length: 1001 }, (_, value) => 1000 - value);
    expect(quantilesOf(values)).toEqual({
      ...{ p50: 500, p90: 900, p95: 950, p99: 990, p999: 999, max: 1000 },
    });
  });
});

describe('a part that is recorded by itself', () => {
  const soak = soakOf({});
  const known = resultsOf('full', sizeOf({ releaseBytes: 7 }), sizeOf({ storeCount: 100_000 }));
  const measured = resultsOf('soaked', sizeOf({ releaseBytes: 8, soak }));

  it('takes the place of its own section alone, and says its commit', () => {
    const [small, large] = recordApart(known, measured, ['soak']).sizes;
    expect(small).toMatchObject({ releaseBytes: 7, soak, apart: { soak: { commit: 'soaked' } } });
    expect(large).toMatchObject({ storeCount: 100_000, soak: null });
    expect(soakSection(small as SizeResult).join('\n')).toContain(
      'Measured by itself on 2026-01-01, commit soaked.',
    );
  });

  it('brings what its run measured of the machine, if a bar on CPU is about it', () => {
    const page = { ...steady(10_000), error: 0 };
    const changes = { total: 1, first: [], page };
    const large = { storeCount: 100_000, changes };
    const holds = (known: number, then: number) => {
      const before = resultsOf('full', sizeOf({ storeCount: 100_000, yardstick: steady(known) }));
      const run = resultsOf('apart', sizeOf({ ...large, yardstick: steady(then) }));
      const [size] = recordApart(before, run, ['changes']).sizes;
      expect(size?.yardstick?.median).toBe(known);
      expect(sizeSections(size as SizeResult).join()).toContain(`commit apart; there the constant`);
      return changesBars(size, 40).at(-1)?.holds;
    };
    // 8 ms where the constant answer takes 450 µs, twice that where it takes twice as long.
    expect(holds(450, 900)).toBe(true);
    expect(holds(900, 450)).toBe(false);
    expect(recordApart(known, measured, ['soak']).sizes[0]?.apart?.soak).not.toHaveProperty(
      'yardstick',
    );
  });

  it('leaves the run that everything else is from, and reads results without newer fields', () => {
    const { soak: _, changes: __, ...older } = sizeOf({});
    const olderKnown = { ...known, sizes: [older as SizeResult] };
    const recorded = recordApart(olderKnown, measured, ['soak']);
    expect(recorded.environment.commit).toBe('full');
    expect(recorded.sizes[0]).toMatchObject({ changes: null, soak });
  });

  it('stays when a full run is recorded, with the commit it was measured at', () => {
    const before = recordApart(known, measured, ['soak']);
    const after = recordFullRun(before, resultsOf('later', sizeOf({ releaseBytes: 9 })));
    expect(after.environment.commit).toBe('later');
    expect(after.sizes).toMatchObject([
      { releaseBytes: 9, soak, apart: { soak: { commit: 'soaked' } } },
    ]);
    expect(recordFullRun(null, measured)).toEqual(measured);
  });
});

function resultsOf(commit: string, ...sizes: SizeResult[]): Results {
  const environment = {
    ...{ date: '2026-01-01', commit, machine: 'none', cores: 1, memory: 1, system: 'none' },
    ...{ node: 'v24', workerd: '1', connections: 1, rounds: 1, secondsPerRound: 1, latency: 40 },
  };
  return { environment, sizes };
}

function sizeOf(some: Partial<SizeResult>): SizeResult {
  const nothing = {
    ...{ yardstick: null, orders: null, crowd: null, memory: null },
    ...{ publishing: null, changes: null, soak: null },
  };
  return { storeCount: 2_500, releaseBytes: 1, cases: [], cold: [], d1: [], ...nothing, ...some };
}

function steady(median: number) {
  return { median, min: median, max: median, error: 0 };
}

function soakOf(some: Partial<SoakResult>): SoakResult {
  const milliseconds = quantilesOf([1, 2, 3]);
  return {
    ...{ minutes: 30, callers: 25, pause: 500, requests: 3, failed: 0, failures: [] },
    ...{ turns: 30, followed: 30, held: [], milliseconds, kinds: [], cpu: 1, busyThreads: 2 },
    ...some,
  };
}
