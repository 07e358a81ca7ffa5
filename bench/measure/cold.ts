/**
 * Requests to cold isolates. A step is what time adds when the latency of KV grows: it tells how
 * many reads a request waits for one after another, whatever the machine does.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ColdFigures, ColdResult } from '../report/results.ts';
import { percentilesOf, spreadOf } from '../report/statistics.ts';
import type { CaseName } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import { FreshIsolates } from '../server/fresh-isolates.ts';
import { countOf, keysRead, type LaneSettings } from '../storage/protocol.ts';
import { COLD, LATENCY } from '../storage/storage.ts';
import { type ColdRequest, type ColdSample, prepareCold, takeColdSample } from './cold-sample.ts';
import { spreadOfKnown } from './sample.ts';

export interface ColdPlan {
  /** Requests by which milliseconds are told. */
  readonly samples: number;
  /** Requests by which steps are told where some keys are slow; no more than samples. */
  readonly pairs: number;
  /** Requests by which milliseconds and steps are told where no key is slow: those of the bars. */
  readonly evenPairs: number;
}

/** The latency that steps are told by, in milliseconds. */
const LONG_LATENCY = 240;

/**
 * Isolates that wait for KV side by side at the long latency, where CPU is a small part of the
 * time. At the short one each has the machine to itself.
 */
const SIDE_BY_SIDE = 4;

/** Milliseconds between their starts: they are not to compute at the same time. */
const STAGGER = 60;

/** Isolates that a process starts with: each takes 50 ms. */
const ISOLATES_PER_PROCESS = 24;

export async function measureCold(
  name: CaseName,
  scene: Scene,
  plan: ColdPlan,
): Promise<ColdResult> {
  const isolates = new FreshIsolates(
    (options) => scene.start('ours', options),
    ISOLATES_PER_PROCESS,
  );
  const stream = new RequestStream(name, 'cold', scene.data.facts);
  const requests = stream.take(plan.samples);
  const figures = async (isPrimed: boolean): Promise<ColdFigures> => {
    const prepared: ColdRequest[] = [];
    for (const request of requests) prepared.push(await prepareCold(scene, request, isPrimed));
    return measureFigures(scene, isolates, prepared, plan);
  };
  try {
    return { name, fresh: await figures(false), documents: await figures(true) };
  } finally {
    await isolates.stop();
  }
}

async function measureFigures(
  scene: Scene,
  isolates: FreshIsolates,
  requests: readonly ColdRequest[],
  { pairs, evenPairs }: ColdPlan,
): Promise<ColdFigures> {
  const sample = (some: readonly ColdRequest[], settings: LaneSettings, atOnce: number) =>
    takeSamples(scene, isolates, some, settings, atOnce);
  const paired = requests.slice(0, pairs);
  const short = await sample(requests, COLD, 1);
  const long = await sample(paired, { ...COLD, latency: LONG_LATENCY }, SIDE_BY_SIDE);
  const even = { ...COLD, slowShare: 0 };
  const evenPaired = requests.slice(0, evenPairs);
  const shortEven = await sample(evenPaired, even, 1);
  const longEven = await sample(evenPaired, { ...even, latency: LONG_LATENCY }, SIDE_BY_SIDE);
  const median = (read: (one: ColdSample) => number) => spreadOf(short.map(read)).median;
  return {
    milliseconds: percentilesOf(short.map(({ milliseconds }) => milliseconds)),
    steps: spreadOf(stepsOf(short, long)),
    even: {
      milliseconds: percentilesOf(shortEven.map(({ milliseconds }) => milliseconds)),
      steps: spreadOf(stepsOf(shortEven, longEven)),
    },
    cpu: spreadOfKnown(short.map(({ cpu }) => cpu)),
    operations: median(({ report }) => report.operations),
    keys: median(({ report }) => keysRead(report)),
    chunkBytes: median(({ report }) => countOf(report, 'chunk').bytes),
  };
}

/** Equal requests meet equal delays, in shares of the latency. */
async function takeSamples(
  scene: Scene,
  isolates: FreshIsolates,
  requests: readonly ColdRequest[],
  settings: LaneSettings,
  atOnce: number,
): Promise<ColdSample[]> {
  const samples: ColdSample[] = [];
  for (let first = 0; first < requests.length; first += atOnce) {
    const group = requests.slice(first, first + atOnce);
    const taken = await isolates.take(group.length);
    const taking = group.map(async (request, index) => {
      const isolate = taken[index];
      if (!isolate) throw new Error('there are too few isolates');
      await wait(index * STAGGER);
      return takeColdSample(scene, isolate, request, { ...settings, seed: first + index });
    });
    samples.push(...(await Promise.all(taking)));
  }
  return samples;
}

function stepsOf(short: readonly ColdSample[], long: readonly ColdSample[]): number[] {
  return long.map(({ milliseconds }, index) => {
    const before = short[index]?.milliseconds ?? Number.NaN;
    return (milliseconds - before) / (LONG_LATENCY - LATENCY);
  });
}
