/**
 * A long time of mixed traffic while ten releases are turned in a circle, one a minute: whether any
 * answer fails, and whether one isolate comes to hold more and more.
 */
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Publication } from '../data/documents.ts';
import { factsOfCircle } from '../data/prepare-circle.ts';
import type { HeldMemory, SoakKindResult, SoakResult } from '../report/results.ts';
import { quantilesOf, spreadOf } from '../report/statistics.ts';
import { SOAK_KINDS, type SoakKind, titleOf } from '../requests/soak-request.ts';
import type { Scene } from '../scene.ts';
import { socketOf } from '../server/configuration.ts';
import { COLD, SINGLES_AT_ONCE } from '../storage/storage.ts';
import { Inspector } from './inspector.ts';
import { cpuSeconds } from './process-cost.ts';
import { CALLERS, PAUSE, SoakTraffic } from './soak-traffic.ts';

export interface SoakPlan {
  readonly minutes: number;
}

const MINUTE = 60_000;

/** As in the memory regime. */
const HEAP_LIMIT = 48;

/** Milliseconds after the last answer in which the isolate ends what it does behind answers. */
const SETTLING_TIME = 1_000;

type Remark = (text: string) => void;

export async function measureSoak(
  scene: Scene,
  { minutes }: SoakPlan,
  remark: Remark,
): Promise<SoakResult> {
  const options = { inspect: true, heapLimit: HEAP_LIMIT, exposeGc: true };
  const service = await scene.start('ours', options);
  const singlesAtOnce = CALLERS * SINGLES_AT_ONCE;
  await scene.storage.restart(service.lane, { ...COLD, singlesAtOnce });
  const { inspectorPort, pid } = service.process;
  const inspector = await Inspector.open(inspectorPort, socketOf(service.lane));
  const traffic = new SoakTraffic(scene.writer, factsOfCircle(scene.data), service.port);
  const held: HeldMemory[] = [];
  let failed = 0;
  const overtimes: number[] = [];
  const loads: number[] = [];
  const before = cpuSeconds(pid);
  const start = performance.now();
  const turn = turner(scene);
  traffic.resume();
  for (let minute = 1; minute <= minutes; minute++) {
    await turn();
    await wait(start + minute * MINUTE - performance.now());
    await traffic.pause();
    await wait(SETTLING_TIME);
    held.push({ minute, ...(await heldBy(inspector)) });
    loads.push(loadavg()[0] ?? 0);
    const { overtime } = await scene.storage.report(service.lane);
    if (traffic.failed > failed) overtimes.push(overtime);
    failed = traffic.failed;
    await scene.storage.restart(service.lane, { ...COLD, seed: minute, singlesAtOnce });
    remark(`${progress(traffic, held)}, storage late by up to ${Math.round(overtime)} ms`);
    for (const failure of traffic.failures) remark(`      ${failure}`);
    traffic.resume();
  }
  await traffic.pause();
  const after = cpuSeconds(pid);
  inspector.close();
  await service.process.stop();
  const { requests, failures, releases } = traffic;
  return {
    ...{ minutes, callers: CALLERS, pause: PAUSE, requests, failed: traffic.failed, failures },
    overtimes,
    // The first answers may come from the release that was live before.
    ...{ turns: minutes, followed: releases.filter((name) => !name.startsWith('1-')).length },
    held,
    milliseconds: quantilesOf([...traffic.times.values()].flat()),
    kinds: SOAK_KINDS.map((kind) => kindOf(kind, traffic.times.get(kind) ?? [])),
    cpu: before === null || after === null ? null : (1000 * (after - before)) / requests,
    busyThreads: spreadOf(loads).median,
  };
}

function kindOf(kind: SoakKind, times: readonly number[]): SoakKindResult {
  return { title: titleOf(kind), requests: times.length, milliseconds: quantilesOf(times) };
}

/** Puts the next release of the circle live. */
function turner({ circle, data, putLive }: Scene): () => Promise<void> {
  let before: Publication = { manifest: data.snapshot.manifest, number: 1 };
  return async () => {
    const snapshot = circle[(before.number - 1) % circle.length];
    if (!snapshot) throw new Error('there are no releases to turn');
    const number = before.number + 1;
    await putLive(snapshot, number, before);
    before = { manifest: snapshot.manifest, number };
  };
}

async function heldBy(inspector: Inspector): Promise<Omit<HeldMemory, 'minute'>> {
  await inspector.collectGarbage();
  const { usedSize, backingStorageSize } = await inspector.heapUsage();
  return { heap: usedSize, buffers: backingStorageSize };
}

function progress({ requests, failed }: SoakTraffic, held: readonly HeldMemory[]): string {
  const { minute, heap, buffers } = held.at(-1) as HeldMemory;
  const megabytes = ((heap + buffers) / 1e6).toFixed(1);
  return `    minute ${minute}: ${requests} requests, ${failed} failed, ${megabytes} MB held`;
}
