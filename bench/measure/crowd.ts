/** Crowds of first requests: fifty at once to a fresh isolate. */
import { setTimeout as wait } from 'node:timers/promises';
import { itemAt } from '../../fixtures/generator/random.ts';
import type { PreparedRequest } from '../client/drive.ts';
import { PARTNERS } from '../data/publisher.ts';
import { count, spreadOf, times } from '../report/figures.ts';
import { CASES, type CaseName, statusOf } from '../requests/request.ts';
import type { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import type { FreshIsolates } from '../server/contender.ts';
import {
  COLD,
  KEY_KINDS,
  type LaneSettings,
  readsOf,
  SINGLES_AT_ONCE,
} from '../storage/protocol.ts';
import { type Run, type Sample, takeSample, timeOf } from './run.ts';

const CROWD = 50;

/** Rounds of the others to one of crowds: they are large. */
const ROUNDS_PER_CROWD = 5;

/** Milliseconds after which late reads would have been counted, such as those behind answers. */
const SETTLING_TIME = 100;

/** Measures crowds. Cases with another status than 200 are only in the crowd of different requests. */
export async function measureCrowds(run: Run): Promise<void> {
  const { scene, cases } = run;
  const isolates = scene.freshIsolates('ours');
  for (const name of cases.filter((one) => statusOf(one) === 200)) {
    await measureEqual(name, run, isolates);
  }
  await measureDifferent(run, isolates);
  await isolates.stop();
}

async function measureEqual(name: CaseName, run: Run, isolates: FreshIsolates): Promise<void> {
  const { scene, findings, where } = run;
  const stream = scene.stream(name, 'crowd');
  const ratios: number[] = [];
  const extra: number[] = [];
  let failed = 0;
  for (let seed = 0; seed * ROUNDS_PER_CROWD < run.rounds; seed++) {
    const request = await scene.writer.prepare(stream.next());
    const settings = { ...COLD, seed };
    const alone = await rush(scene, isolates, [request], settings);
    // Two requests may read: the request of the crowd that loads, and another that does not wait for it.
    const forTwo = { ...settings, singlesAtOnce: 2 * SINGLES_AT_ONCE };
    const together = await rush(scene, isolates, new Array(CROWD).fill(request), forTwo);
    ratios.push(timeOf(together) / timeOf(alone));
    extra.push(readsOf(together.report, ...KEY_KINDS) - readsOf(alone.report, ...KEY_KINDS));
    failed += alone.faults.length + together.faults.length;
  }
  const what = `50 equal first requests, ${where}`;
  const label = CASES[name];
  findings.atMost(`${what}: time, of one alone`, times, label, spreadOf(ratios), 2);
  const most = Math.max(...extra);
  findings.atMost(`${what}: keys read beyond those of one`, count, label, most, 1);
  findings.atMost(`${what}: failed`, count, label, failed, 0);
}

async function measureDifferent(run: Run, isolates: FreshIsolates): Promise<void> {
  const { scene, cases, findings, where } = run;
  const streams = cases.map((name) => scene.stream(name, 'crowd'));
  const ratios: number[] = [];
  const crowds: Sample[] = [];
  let failed = 0;
  for (let seed = 0; seed * ROUNDS_PER_CROWD < run.rounds; seed++) {
    const requests = await drawCrowd(scene, streams);
    const settings = { ...COLD, seed };
    const alone = await Array.fromAsync(requests, (request) =>
      rush(scene, isolates, [request], settings),
    );
    const forAll = { ...settings, singlesAtOnce: CROWD * SINGLES_AT_ONCE };
    const crowd = await rush(scene, isolates, requests, forAll);
    crowds.push(crowd);
    ratios.push(timeOf(crowd) / Math.max(...alone.map(timeOf)));
    failed += [...alone, crowd].flatMap(({ faults }) => faults).length;
  }
  const what = `50 different first requests, ${where}`;
  findings.atMost(`${what}: time, of the slowest alone`, times, '', spreadOf(ratios), 4);
  for (const kind of KEY_KINDS) {
    const again = crowds.map(({ report }) => report[kind].reads - report[kind].keys);
    findings.atMost(`${what}: keys read again`, count, kind, Math.max(...again), 0);
  }
  findings.atMost(`${what}: failed`, count, '', failed, 0);
}

/** Draws requests of all cases in turn, with the tokens of all partners in turn. */
function drawCrowd(
  { writer }: Scene,
  streams: readonly RequestStream[],
): Promise<PreparedRequest[]> {
  return Array.fromAsync({ length: CROWD }, (_, number) => {
    const request = itemAt(streams, number % streams.length).next();
    const partner = itemAt(PARTNERS, number % PARTNERS.length);
    const token = request.token === 'plain' ? partner : request.token;
    return writer.prepare({ ...request, token });
  });
}

/** Sends requests at once to a fresh isolate. Returns their times, and what is read behind their answers too. */
async function rush(
  scene: Scene,
  isolates: FreshIsolates,
  requests: readonly PreparedRequest[],
  settings: LaneSettings,
): Promise<Sample> {
  const isolate = await isolates.one();
  const sample = await takeSample(scene, isolate, requests, settings);
  await wait(SETTLING_TIME);
  return { ...sample, report: await scene.storage.report(isolate.lane) };
}
