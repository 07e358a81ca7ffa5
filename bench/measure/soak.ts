/**
 * A long time of mixed traffic while ten releases are turned in a circle, one a minute: whether any
 * answer fails, and whether one isolate comes to hold more and more.
 */
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { factsOfCircle } from '../data/prepare-circle.ts';
import type { SoakKindResult, SoakResult } from '../report/results.ts';
import { quantilesOf, spreadOf } from '../report/statistics.ts';
import { SOAK_KINDS, type SoakKind, titleOf } from '../requests/soak-request.ts';
import type { Scene } from '../scene.ts';
import { socketOf } from '../server/configuration.ts';
import type { RunningContender } from '../server/contender.ts';
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

/** What a minute has shown. */
interface Minute {
  /** Bytes that the isolate holds at its end. */
  readonly heap: number;
  readonly buffers: number;
  /** Milliseconds by which the stand-in for KV was late, at the most. */
  readonly overtime: number;
  /** Answers until now. */
  readonly failed: number;
  /** Threads of all programs that ran or waited for a core. */
  readonly load: number;
}

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
  const ended: Minute[] = [];
  const firstRelease = scene.publisher.liveName;
  const before = cpuSeconds(pid);
  const start = performance.now();
  for (let minute = 1; minute <= minutes; minute++) {
    traffic.resume();
    await turn(scene, minute);
    await wait(start + minute * MINUTE - performance.now());
    await traffic.pause();
    ended.push(await lookAtMinute(scene, service, inspector, traffic));
    await scene.storage.restart(service.lane, { ...COLD, seed: minute, singlesAtOnce });
    tellMinute(ended, traffic, remark);
  }
  const after = cpuSeconds(pid);
  inspector.close();
  await service.process.stop();
  const seconds = before === null || after === null ? null : after - before;
  return resultOf(ended, traffic, firstRelease, seconds);
}

/**
 * @param firstRelease that was live when it began
 * @param seconds of CPU; null if unknown
 */
function resultOf(
  ended: readonly Minute[],
  traffic: SoakTraffic,
  firstRelease: string,
  seconds: number | null,
): SoakResult {
  const { requests, failed, failures, releases, times } = traffic;
  const minutes = ended.length;
  const withFailures = ended.filter(
    (minute, index) => minute.failed > (ended[index - 1]?.failed ?? 0),
  );
  return {
    ...{ minutes, callers: CALLERS, pause: PAUSE, requests, failed, failures },
    overtimes: withFailures.map(({ overtime }) => overtime),
    // The first answers may come from the release that was live before.
    ...{ turns: minutes, followed: releases.filter((name) => name !== firstRelease).length },
    held: ended.map(({ heap, buffers }, index) => ({ minute: index + 1, heap, buffers })),
    milliseconds: quantilesOf([...times.values()].flat()),
    kinds: SOAK_KINDS.map((kind) => kindOf(kind, times.get(kind) ?? [])),
    cpu: seconds === null ? null : (1000 * seconds) / requests,
    busyThreads: spreadOf(ended.map(({ load }) => load)).median,
  };
}

function kindOf(kind: SoakKind, times: readonly number[]): SoakKindResult {
  return { title: titleOf(kind), requests: times.length, milliseconds: quantilesOf(times) };
}

/** Puts the next release of the circle live. */
async function turn({ circle, publisher }: Scene, minute: number): Promise<void> {
  const snapshot = circle[(minute - 1) % circle.length];
  if (!snapshot) throw new Error('there are no releases to turn');
  await publisher.putLive(snapshot);
}

/** How things stand at the end of a minute, when every request is answered. */
async function lookAtMinute(
  { storage }: Scene,
  { lane }: RunningContender,
  inspector: Inspector,
  traffic: SoakTraffic,
): Promise<Minute> {
  await wait(SETTLING_TIME);
  await inspector.collectGarbage();
  const { usedSize, backingStorageSize } = await inspector.heapUsage();
  const { overtime } = await storage.report(lane);
  return {
    ...{ heap: usedSize, buffers: backingStorageSize, overtime },
    ...{ failed: traffic.failed, load: loadavg()[0] ?? 0 },
  };
}

function tellMinute(ended: readonly Minute[], traffic: SoakTraffic, remark: Remark): void {
  const { heap, buffers, overtime } = ended.at(-1) as Minute;
  const megabytes = ((heap + buffers) / 1e6).toFixed(1);
  remark(
    `    minute ${ended.length}: ${traffic.requests} requests, ${traffic.failed} failed, ${megabytes} MB held, storage late by up to ${Math.round(overtime)} ms`,
  );
  for (const failure of traffic.failures) remark(`      ${failure}`);
}
