/**
 * Requests to cold isolates. A step is what time adds when the latency of KV grows: it tells how
 * many reads a request waits for one after another, whatever the machine does.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  cpuSeconds,
  cpuSince,
  type PreparedRequest,
  takeTimes,
  withConnection,
} from '../client/drive.ts';
import { milliseconds, steps } from '../report/format.ts';
import { percentilesOf, spreadOf, spreadOfKnown } from '../report/statistics.ts';
import { CASES, type CaseName } from '../requests/request.ts';
import type { Scene } from '../scene.ts';
import type { FreshIsolates, Isolate } from '../server/contender.ts';
import {
  COLD,
  countOf,
  INSTANT,
  LATENCY,
  type LaneReport,
  type LaneSettings,
} from '../storage/protocol.ts';
import { holdCpu, type Run } from './run.ts';

/** The latency that steps are told by, in milliseconds. */
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

/** Statuses of a request that brings the index in: an empty list, no such store, no token. */
const PRIMED = [200, 404, 401];

/** Milliseconds after which an isolate has done what it does behind an answer. */
const SETTLING_TIME = 20;

/** How many latencies of KV a first request may take, where that is not five. */
const LATENCIES: Partial<Record<CaseName, number>> = { get: 4, 'get-slug': 4, everything: 6 };

interface ColdRequest {
  readonly prepared: PreparedRequest;
  /** Brings the index in before; null: the isolate is to be fresh. */
  readonly primer: Uint8Array | null;
}

interface ColdSample {
  readonly milliseconds: number;
  /** Milliseconds of CPU of the whole process; null where it is not known. */
  readonly cpu: number | null;
  readonly report: LaneReport;
}

export async function measureCold(run: Run): Promise<void> {
  const { scene, cases } = run;
  const isolates = scene.freshIsolates('ours');
  for (const name of cases) {
    run.remark(`  ${CASES[name]}`);
    await measureCase(name, run, isolates, 'first');
    await measureCase(name, run, isolates, 'new documents');
  }
  await isolates.stop();
}

async function measureCase(
  name: CaseName,
  run: Run,
  isolates: FreshIsolates,
  moment: 'first' | 'new documents',
): Promise<void> {
  const { scene, findings, storeCount, where } = run;
  const stream = scene.stream(name, 'cold');
  const requests: ColdRequest[] = [];
  for (const request of stream.take(Math.ceil(SAMPLES_PER_ROUND * run.rounds))) {
    const primer = moment === 'first' ? null : scene.writer.primer(request);
    requests.push({ prepared: await scene.writer.prepare(request), primer });
  }
  const sample = (settings: LaneSettings, atOnce = 1) =>
    takeSamples(scene, isolates, requests, settings, atOnce);
  // Bars are judged where no key is slow; what a partner notices has some.
  const noticed = await sample(COLD);
  const even = { ...COLD, slowShare: 0 };
  const short = await sample(even);
  const long = await sample({ ...even, latency: LONG_LATENCY }, SIDE_BY_SIDE);
  const waits = percentilesOf(noticed.map(timeOf));
  findings.waits.push({ storeCount, name, moment, milliseconds: waits });
  const inSteps = spreadOf(
    long.map((one, index) => (timeOf(one) - timeOf(short[index])) / (LONG_LATENCY - LATENCY)),
  );
  const label = CASES[name];
  const { p50 } = percentilesOf(short.map(timeOf));
  if (moment === 'first') {
    const what = `cold, fresh isolate, ${where}`;
    const latencies = LATENCIES[name] ?? 5;
    const isEverything = name === 'everything';
    const cpu = spreadOfKnown(noticed.map((sample) => sample.cpu));
    const words = `${4 * LATENCY} ms (get), ${6 * LATENCY} ms (every condition), ${5 * LATENCY} ms (other)`;
    findings.atMost(`${what}: p50`, milliseconds, label, p50, latencies * LATENCY, words);
    const mostSteps = isEverything ? 4.6 : 3.6;
    findings.atMost(`${what}: steps`, steps, label, inSteps, mostSteps, '3.6, every condition 4.6');
    const most = isEverything ? 60 : 50;
    holdCpu(run, `${what}: CPU`, label, cpu, most, '50 ms, every condition 60 ms');
  } else {
    const what = `cold documents, ${where}`;
    const least = 1.5 * LATENCY + 20;
    const chunks = spreadOf(short.map(({ report }) => countOf(report, 'chunk').bytes)).median;
    const words = `${least} ms + 10 ms a megabyte of chunks`;
    findings.atMost(`${what}: p50`, milliseconds, label, p50, least + chunks / 1e5, words);
    findings.atMost(`${what}: steps`, steps, label, inSteps, 1.4);
  }
}

const timeOf = (sample: ColdSample | undefined): number => sample?.milliseconds ?? Number.NaN;

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
      await wait(index * STAGGER);
      const isolate = taken[index] as Isolate;
      return takeColdSample(scene, isolate, request, { ...settings, seed: first + index });
    });
    samples.push(...(await Promise.all(taking)));
  }
  return samples;
}

/** @throws Error when the answer is not what it must be */
export async function takeColdSample(
  { storage }: Scene,
  { port, lane, pid }: Isolate,
  { prepared, primer }: ColdRequest,
  settings: LaneSettings,
): Promise<ColdSample> {
  return withConnection(port, async (connection) => {
    if (primer) {
      await storage.restart(lane, INSTANT);
      const { status } = await connection.send(primer);
      if (!PRIMED.includes(status)) throw new Error(`the index was asked for: answered ${status}`);
      await wait(SETTLING_TIME);
    }
    await storage.restart(lane, settings);
    const before = cpuSeconds(pid);
    const [took = Number.NaN] = await takeTimes(connection, [prepared]);
    const cpu = cpuSince(pid, before);
    return { milliseconds: took, cpu, report: await storage.report(lane) };
  });
}
