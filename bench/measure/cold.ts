/**
 * Requests to cold isolates. A step is the time that is added when the latency of KV grows: it shows how
 * many reads a request waits for one after another, on a slow machine as on a fast one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { milliseconds, percentiles, percentilesOf, spreadOf, steps } from '../report/figures.ts';
import { type BenchRequest, CASES, type CaseName } from '../requests/request.ts';
import type { FreshIsolates, Isolate } from '../server/contender.ts';
import { COLD, LATENCY, type LaneSettings } from '../storage/protocol.ts';
import { cpuOf, holdCpu, type Run, type Sample, takeOne, timeOf } from './run.ts';

/** The higher latency by which steps are measured, in milliseconds. */
const LONG_LATENCY = 240;

/** More samples than there are rounds: times of cold requests differ more. */
const SAMPLES_PER_ROUND = 1.4;

/**
 * Isolates that wait for KV side by side at the long latency, where CPU is a small part of the
 * time. At the short one each has the machine to itself.
 */
const SIDE_BY_SIDE = 4;

/** Milliseconds between their starts: they are not to compute at the same time. */
const STAGGER = 60;

type Moment = 'first' | 'new documents';

/** What a first request may take: latencies of KV, steps, milliseconds of CPU. */
const FIRST = { latencies: 5, steps: 3.6, cpu: 60 };
const NEAR_FIRST = { ...FIRST, cpu: 100 };
const OTHER_FIRST: Partial<Record<CaseName, typeof FIRST>> = {
  get: { ...FIRST, latencies: 4 },
  'get-slug': { ...FIRST, latencies: 4 },
  'near-city': NEAR_FIRST,
  'near-country': NEAR_FIRST,
  'near-wide': NEAR_FIRST,
  delivered: NEAR_FIRST,
  everything: { latencies: 6, steps: 4.6, cpu: 100 },
};

export async function measureCold(run: Run): Promise<void> {
  const isolates = run.scene.freshIsolates('ours');
  for (const name of run.cases) {
    run.remark(`  ${CASES[name]}`);
    await measureCase(name, run, isolates, 'first');
    await measureCase(name, run, isolates, 'new documents');
  }
  await isolates.stop();
}

async function measureCase(name: CaseName, run: Run, isolates: FreshIsolates, moment: Moment) {
  const { scene, findings, storeCount, where } = run;
  const requests = scene.stream(name, 'cold').take(Math.ceil(SAMPLES_PER_ROUND * run.rounds));
  const sample = (settings: LaneSettings, atOnce = 1) =>
    takeSamples(run, isolates, requests, moment, settings, atOnce);
  // Bars are judged where no key is slow; what a partner notices has some.
  const noticed = await sample(COLD);
  const even = { ...COLD, slowShare: 0 };
  const short = await sample(even);
  const long = await sample({ ...even, latency: LONG_LATENCY }, SIDE_BY_SIDE);
  const waits = percentilesOf(noticed.map(timeOf));
  const text = percentiles(waits);
  findings.noticed.push({ storeCount, name, column: moment, value: waits, text });
  const inSteps = spreadOf(
    long.map((one, index) => (timeOf(one) - timeOf(short[index])) / (LONG_LATENCY - LATENCY)),
  );
  const label = CASES[name];
  const { p50 } = percentilesOf(short.map(timeOf));
  if (moment === 'first') {
    const what = `cold, fresh isolate, ${where}`;
    const most = OTHER_FIRST[name] ?? FIRST;
    findings.atMost(`${what}: p50`, milliseconds, label, p50, most.latencies * LATENCY);
    findings.atMost(`${what}: steps`, steps, label, inSteps, most.steps);
    holdCpu(run, `${what}: CPU`, label, spreadOf(noticed.map(cpuOf)), most.cpu);
  } else {
    const what = `cold documents, ${where}`;
    const least = 1.5 * LATENCY + 20;
    const chunks = spreadOf(short.map(({ report }) => report.chunk.bytes)).median;
    const words = `${least} ms + 10 ms a megabyte of chunks`;
    findings.atMost(`${what}: p50`, milliseconds, label, p50, least + chunks / 1e5, words);
    findings.atMost(`${what}: steps`, steps, label, inSteps, 1.4);
  }
}

/** Takes samples. Equal requests meet equal delays, in shares of the latency. */
async function takeSamples(
  { scene }: Run,
  isolates: FreshIsolates,
  requests: readonly BenchRequest[],
  moment: Moment,
  settings: LaneSettings,
  atOnce: number,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let first = 0; first < requests.length; first += atOnce) {
    const group = requests.slice(first, first + atOnce);
    const taken = await isolates.take(group.length);
    const taking = group.map(async (request, index) => {
      await wait(index * STAGGER);
      const primer = moment === 'first' ? null : scene.writer.primer(request);
      const prepared = await scene.writer.prepare(request);
      const own = { ...settings, seed: first + index };
      return takeOne(scene, taken[index] as Isolate, prepared, own, primer);
    });
    samples.push(...(await Promise.all(taking)));
  }
  return samples;
}
