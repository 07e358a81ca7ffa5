/** The bars of the project, held against the results of a run. */
import type { CaseName } from '../requests/request.ts';
import type { ContenderName } from '../server/contender.ts';
import { megabytes, seconds, times } from './format.ts';
import type { Results, SizeResult } from './results.ts';
import { meanRatio } from './statistics.ts';

export interface Bar {
  readonly what: string;
  /** What has to be reached, in words. */
  readonly bar: string;
  /** What was measured; null when this run did not. */
  readonly measured: string | null;
  readonly holds: boolean | null;
}

const SMALL = 2_500;
const LARGE = 100_000;

/** Bytes that an isolate may hold at the most: its limit is 128 MB. */
const MEMORY_LIMIT = 110e6;
/** Microseconds of CPU for every list and get, so that the free plan has room. */
const CPU_LIMIT = 3_000;
const FIRST_REQUEST_LIMIT = 50;
const CHANGED_SHARE_LIMIT = 0.05;

export function holdBars(results: Results): Bar[] {
  const small = sizeOf(results, SMALL);
  const large = sizeOf(results, LARGE);
  return [
    atLeast('list of 100 whole stores, against the limit', 0.8, ratioOf(small, 'list', 'limit')),
    atLeast('the same, against the obvious app', 3, ratioOf(small, 'list', 'obvious')),
    atLeast('one store, against the limit', 0.7, ratioOf(small, 'get', 'limit')),
    atLeast(
      'nearest 20 within 25 km in towns, 100,000 stores, against the obvious app',
      20,
      ratioOf(large, 'near-city', 'obvious'),
    ),
    atLeast('throughput at 100,000 stores against 2,500', 0.8, growthRatio(small, large)),
    atMost(
      'slowest case at 2,500 stores, CPU per request',
      CPU_LIMIT,
      slowestCpu(small),
      (value) => `${Math.round(value)} µs`,
    ),
    atMost(
      'isolate at 100,000 stores after a load of everything, without garbage',
      MEMORY_LIMIT,
      large && large.load.held.heap + large.load.held.buffers,
      megabytes,
    ),
    atMost(
      'first request of a fresh isolate, 100,000 stores, CPU',
      FIRST_REQUEST_LIMIT,
      slowestFirstRequest(large),
      (value) => `${value.toFixed(0)} ms`,
    ),
    atMost('KV reads of a get, all chunks cold', 1, readsOfGet(small, 'coldReads'), (value) =>
      value.toFixed(2),
    ),
    atMost('KV reads of a get, warm', 0, readsOfGet(small, 'warmReads'), (value) =>
      value.toFixed(2),
    ),
    atMost(
      'share of the bytes that go up after 1 % of the stores changed',
      CHANGED_SHARE_LIMIT,
      (large ?? small)?.publishing?.changedShare,
      (value) => `${(100 * value).toFixed(1)} %`,
    ),
    atMost('build of 2,500 stores', 3, small?.publishing?.buildSeconds, seconds),
    atMost('build of 100,000 stores', 90, large?.publishing?.buildSeconds, seconds),
    atMost(
      'publishing 100,000 stores again, unchanged',
      20,
      large?.publishing?.publishUnchangedSeconds,
      seconds,
    ),
  ];
}

function sizeOf({ sizes }: Results, storeCount: number): SizeResult | undefined {
  return sizes.find((size) => size.storeCount === storeCount);
}

function ratioOf(
  size: SizeResult | undefined,
  name: CaseName,
  contender: ContenderName,
): number | undefined {
  return size?.cases.find((group) => group.name === name)?.ratios[contender]?.median;
}

/**
 * How throughput at the large size compares with that at the small one, over all cases. Answers
 * are not of one length at both (a radius holds more stores), and so each case is taken in shares
 * of the limit, which sends as many bytes.
 */
function growthRatio(
  small: SizeResult | undefined,
  large: SizeResult | undefined,
): number | undefined {
  if (!small || !large) return undefined;
  const ratios = large.cases.flatMap(({ name, ratios: { limit } }) => {
    const before = ratioOf(small, name, 'limit');
    return limit && before !== undefined ? [limit.median / before] : [];
  });
  return ratios.length > 0 ? meanRatio(ratios) : undefined;
}

function slowestCpu(size: SizeResult | undefined): number | undefined {
  const cpus = (size?.cases ?? []).flatMap(({ contenders }) => contenders.ours?.cpu?.median ?? []);
  return cpus.length > 0 ? Math.max(...cpus) : undefined;
}

function slowestFirstRequest(size: SizeResult | undefined): number | undefined {
  const cpus = (size?.firstRequests ?? []).flatMap(({ cpu }) => cpu?.median ?? []);
  return cpus.length > 0 ? Math.max(...cpus) : undefined;
}

function readsOfGet(
  size: SizeResult | undefined,
  which: 'coldReads' | 'warmReads',
): number | undefined {
  const cost = size?.costs.find(({ name }) => name === 'get');
  return cost && cost[which] / cost.requests;
}

function atLeast(what: string, bar: number, value: number | undefined): Bar {
  const measured = value === undefined ? null : times(value);
  const holds = value === undefined ? null : value >= bar;
  return { what, bar: `at least ${times(bar)}`, measured, holds };
}

function atMost(
  what: string,
  bar: number,
  value: number | undefined,
  write: (value: number) => string,
): Bar {
  const measured = value === undefined ? null : write(value);
  return {
    what,
    bar: `at most ${write(bar)}`,
    measured,
    holds: value === undefined ? null : value <= bar,
  };
}
