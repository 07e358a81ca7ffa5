/** Crowds of first requests: fifty at once to a fresh isolate. */
import { setTimeout as wait } from 'node:timers/promises';
import { type PreparedRequest, withConnections } from '../client/drive.ts';
import { PARTNERS } from '../data/publisher.ts';
import { count, times } from '../report/format.ts';
import { ratioSpread } from '../report/statistics.ts';
import { CASES, type CaseName, statusOf } from '../requests/request.ts';
import type { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import type { FreshIsolates, Isolate } from '../server/contender.ts';
import {
  COLD,
  countOf,
  KEY_KINDS,
  keysRead,
  type LaneReport,
  type LaneSettings,
  SINGLES_AT_ONCE,
} from '../storage/protocol.ts';
import type { Run } from './run.ts';

const CROWD = 50;

/** Rounds of the others to one of crowds: they are large. */
const ROUNDS_PER_CROWD = 5;

/** Milliseconds after which late reads would have been counted, such as those behind answers. */
const SETTLING_TIME = 100;

interface Rush {
  /** Until all were answered. */
  readonly milliseconds: number;
  readonly failed: number;
  readonly report: LaneReport;
}

/** Cases of other statuses join the crowd of different ones alone. */
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
  const alone: Rush[] = [];
  const together: Rush[] = [];
  for (let seed = 0; seed * ROUNDS_PER_CROWD < run.rounds; seed++) {
    const request = await scene.writer.prepare(stream.next());
    const settings = { ...COLD, seed };
    const [first, second] = (await isolates.take(2)) as [Isolate, Isolate];
    alone.push(await rush(scene, first, [request], settings));
    // Two requests may read: that of the crowd which loads, and one that does not wait for it.
    const forTwo = { ...settings, singlesAtOnce: 2 * SINGLES_AT_ONCE };
    together.push(await rush(scene, second, new Array(CROWD).fill(request), forTwo));
  }
  const ratio = ratioSpread(together.map(timeOf), alone.map(timeOf));
  const extra = together.map(
    ({ report }, index) => keysRead(report) - keysRead((alone[index] as Rush).report),
  );
  const what = `50 equal first requests, ${where}`;
  const label = CASES[name];
  findings.atMost(`${what}: time`, times, label, ratio, 2, 'twice that of one');
  const most = Math.max(...extra);
  findings.atMost(`${what}: keys read beyond those of one`, count, label, most, 1);
  findings.atMost(`${what}: failed`, count, label, failedOf([...alone, ...together]), 0);
}

async function measureDifferent(run: Run, isolates: FreshIsolates): Promise<void> {
  const { scene, cases, findings, where } = run;
  const streams = cases.map((name) => scene.stream(name, 'crowd'));
  const crowds: Rush[] = [];
  const slowest: number[] = [];
  let failedAlone = 0;
  for (let seed = 0; seed * ROUNDS_PER_CROWD < run.rounds; seed++) {
    const requests = await drawCrowd(scene, streams);
    const settings = { ...COLD, seed };
    const alone: Rush[] = [];
    for (const request of requests) {
      alone.push(await rush(scene, await isolates.one(), [request], settings));
    }
    failedAlone += failedOf(alone);
    slowest.push(Math.max(...alone.map(timeOf)));
    const forAll = { ...settings, singlesAtOnce: CROWD * SINGLES_AT_ONCE };
    crowds.push(await rush(scene, await isolates.one(), requests, forAll));
  }
  const what = `50 different first requests, ${where}`;
  const ratio = ratioSpread(crowds.map(timeOf), slowest);
  findings.atMost(`${what}: time`, times, '', ratio, 4, 'four times that of the slowest alone');
  for (const kind of KEY_KINDS) {
    const again = crowds.map(({ report }) => countOf(report, kind)).map((it) => it.reads - it.keys);
    findings.atMost(`${what}: keys read again`, count, kind, Math.max(...again), 0);
  }
  findings.atMost(`${what}: failed`, count, '', failedAlone + failedOf(crowds), 0);
}

/** Requests of all cases in turn, with the tokens of all partners in turn. */
async function drawCrowd(
  { writer }: Scene,
  streams: readonly RequestStream[],
): Promise<PreparedRequest[]> {
  const requests: PreparedRequest[] = [];
  for (let number = 0; number < CROWD; number++) {
    const request = (streams[number % streams.length] as RequestStream).next();
    const partner = PARTNERS[number % PARTNERS.length] ?? 'plain';
    const token = request.token === 'plain' ? partner : request.token;
    requests.push(await writer.prepare({ ...request, token }));
  }
  return requests;
}

/** Sends each request over a connection of its own, all at once. */
async function rush(
  { storage }: Scene,
  { port, lane }: Isolate,
  requests: readonly PreparedRequest[],
  settings: LaneSettings,
): Promise<Rush> {
  await storage.restart(lane, settings);
  return withConnections(port, requests.length, async (connections) => {
    const start = performance.now();
    const answers = await Promise.all(
      connections.map((connection, index) =>
        connection.send((requests[index] as PreparedRequest).bytes),
      ),
    );
    const milliseconds = performance.now() - start;
    await wait(SETTLING_TIME);
    const failed = answers.filter(({ status }, index) => status !== requests[index]?.status).length;
    return { milliseconds, failed, report: await storage.report(lane) };
  });
}

const timeOf = ({ milliseconds }: Rush): number => milliseconds;

const failedOf = (rushes: readonly Rush[]): number =>
  rushes.reduce((sum, { failed }) => sum + failed, 0);
