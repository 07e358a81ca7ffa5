/** What every measurement has to know of the run, and what they share: bars on CPU, rounds, and samples of an isolate. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '../client/connection.ts';
import { cpuSeconds, faultOf, type PreparedRequest, withConnections } from '../client/drive.ts';
import { milliseconds, type Spread, spreadOf } from '../report/figures.ts';
import type { Findings } from '../report/findings.ts';
import type { CaseName } from '../requests/request.ts';
import type { Scene } from '../scene.ts';
import type { Isolate, RunningContender } from '../server/contender.ts';
import { INSTANT, type LaneReport, type LaneSettings } from '../storage/protocol.ts';

/** Statuses of a request that brings the index in: an empty list, no such store, no token. */
const PRIMED = [200, 404, 401];

/** Milliseconds after which an isolate has done what it does behind an answer. */
const SETTLING_TIME = 20;

export interface Run {
  readonly scene: Scene;
  readonly limit: RunningContender;
  readonly storeCount: number;
  /** `2,500 stores` */
  readonly where: string;
  readonly cases: readonly CaseName[];
  /** How often everything is measured. */
  readonly rounds: number;
  /** How much slower this machine is now than the machine of the bars on CPU; at least 1. */
  readonly slowness: number;
  readonly findings: Findings;
  readonly remark: (text: string) => void;
}

/**
 * Holds CPU against a bar that grows where the machine is slower, and says so: `bars × 1.41`.
 * @param reach milliseconds
 */
export function holdCpu(
  { findings, slowness }: Run,
  what: string,
  label: string,
  cpu: Spread,
  reach: number,
): void {
  // Unknown on systems without /proc.
  if (Number.isNaN(cpu.median)) return;
  const grown = slowness > 1 ? `, bars × ${slowness.toFixed(2)}` : '';
  findings.atMost(what + grown, milliseconds, label, cpu, reach * slowness, `${reach} ms`);
}

/** Measures in several rounds, after one that only warms up. */
export async function overRounds(rounds: number, take: () => Promise<number>): Promise<Spread> {
  await take();
  return spreadOf(await Array.fromAsync({ length: rounds }, take));
}

export interface Sample {
  /** Until all were answered. */
  readonly milliseconds: number;
  /** Milliseconds of CPU of the whole process; no number where it is not known. */
  readonly cpu: number;
  readonly faults: readonly string[];
  readonly report: LaneReport;
}

export const timeOf = (sample: Sample | undefined) => sample?.milliseconds ?? Number.NaN;
export const cpuOf = ({ cpu }: Sample): number => cpu;

/**
 * Sends each request over a connection of its own, all at once.
 * @param primer brings the index in before; null: the isolate stays as it is
 */
export async function takeSample(
  { storage }: Scene,
  { port, lane, pid }: Isolate,
  requests: readonly PreparedRequest[],
  settings: LaneSettings,
  primer: Uint8Array | null = null,
): Promise<Sample> {
  return withConnections(port, requests.length, async (connections) => {
    if (primer) {
      await storage.restart(lane, INSTANT);
      const { status } = await (connections[0] as Connection).send(primer);
      if (!PRIMED.includes(status)) throw new Error(`the index was asked for: answered ${status}`);
      await wait(SETTLING_TIME);
    }
    await storage.restart(lane, settings);
    const before = cpuSeconds(pid);
    const start = performance.now();
    const faults = await Promise.all(
      requests.map(async (request, index) =>
        faultOf(request, await (connections[index] as Connection).send(request.bytes)),
      ),
    );
    return {
      milliseconds: performance.now() - start,
      cpu: 1000 * (cpuSeconds(pid) - before),
      faults: faults.filter((fault) => fault !== undefined),
      report: await storage.report(lane),
    };
  });
}

/** Sends one request alone. @throws Error when its answer is not what it must be */
export async function takeOne(
  scene: Scene,
  isolate: Isolate,
  request: PreparedRequest,
  settings: LaneSettings,
  primer: Uint8Array | null = null,
): Promise<Sample> {
  const sample = await takeSample(scene, isolate, [request], settings, primer);
  if (sample.faults[0]) throw new Error(sample.faults[0]);
  return sample;
}
