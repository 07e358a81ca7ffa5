/** Crowds of first requests: fifty at once to an isolate that nobody has asked before. */
import { setTimeout as wait } from 'node:timers/promises';
import { type PreparedRequest, withConnections } from '../client/drive.ts';
import { PARTNERS } from '../data/tokens.ts';
import type { CrowdResult, DifferentCrowd, EqualCrowd } from '../report/results.ts';
import { ratioSpread, spreadOf } from '../report/statistics.ts';
import { type CaseName, statusOf } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import { type FreshIsolate, FreshIsolates } from '../server/fresh-isolates.ts';
import { countOf, keysRead, type LaneReport, type LaneSettings } from '../storage/protocol.ts';
import { COLD, SINGLES_AT_ONCE } from '../storage/storage.ts';

const CROWD = 50;
const ISOLATES_PER_PROCESS = 25;

/** Milliseconds after which late reads would have been counted, such as those behind answers. */
const SETTLING_TIME = 100;

const KINDS = ['pointer', 'token', 'part', 'chunk', 'other'] as const;

interface Rush {
  /** Until all were answered. */
  readonly milliseconds: number;
  readonly failed: number;
  readonly report: LaneReport;
}

/** @param names cases that take part; those of other statuses join the crowd of different ones */
export async function measureCrowds(
  names: readonly CaseName[],
  scene: Scene,
  repetitions: number,
): Promise<CrowdResult> {
  const start = scene.start.bind(null, 'ours');
  const isolates = new FreshIsolates(start, ISOLATES_PER_PROCESS);
  try {
    const equal: EqualCrowd[] = [];
    for (const name of names.filter((one) => statusOf(one) === 200)) {
      equal.push(await measureEqual(name, scene, isolates, repetitions));
    }
    return { equal, different: await measureDifferent(names, scene, isolates, repetitions) };
  } finally {
    await isolates.stop();
  }
}

async function measureEqual(
  name: CaseName,
  scene: Scene,
  isolates: FreshIsolates,
  repetitions: number,
): Promise<EqualCrowd> {
  const stream = new RequestStream(name, 'crowd', scene.data.facts);
  const alone: Rush[] = [];
  const together: Rush[] = [];
  for (let seed = 0; seed < repetitions; seed++) {
    const request = await scene.writer.prepare(stream.next());
    const settings = { ...COLD, seed };
    const [first, second] = await isolates.take(2);
    alone.push(await rush(scene, first, [request], settings));
    // Two requests may read: that of the crowd which loads, and one that does not wait for it.
    const forTwo = { ...settings, singlesAtOnce: 2 * SINGLES_AT_ONCE };
    together.push(await rush(scene, second, new Array(CROWD).fill(request), forTwo));
  }
  const [times, timesAlone] = [together.map(timeOf), alone.map(timeOf)];
  const extra = together.map(({ report }, index) => {
    return keysRead(report) - keysRead((alone[index] as Rush).report);
  });
  return {
    name,
    together: spreadOf(times),
    alone: spreadOf(timesAlone),
    ratio: ratioSpread(times, timesAlone),
    extraReads: Math.max(...extra),
    failed: sum([...alone, ...together].map(({ failed }) => failed)),
  };
}

async function measureDifferent(
  names: readonly CaseName[],
  scene: Scene,
  isolates: FreshIsolates,
  repetitions: number,
): Promise<DifferentCrowd> {
  const streams = names.map((name) => new RequestStream(name, 'crowd', scene.data.facts));
  const times: number[] = [];
  const slowest: number[] = [];
  const crowds: Rush[] = [];
  let failedAlone = 0;
  for (let seed = 0; seed < repetitions; seed++) {
    const requests = await drawCrowd(scene, streams);
    const settings = { ...COLD, seed };
    const alone: Rush[] = [];
    for (const request of requests) {
      const [isolate] = await isolates.take(1);
      alone.push(await rush(scene, isolate, [request], settings));
    }
    failedAlone += sum(alone.map(({ failed }) => failed));
    const forAll = { ...settings, singlesAtOnce: CROWD * SINGLES_AT_ONCE };
    const [isolate] = await isolates.take(1);
    const crowd = await rush(scene, isolate, requests, forAll);
    crowds.push(crowd);
    times.push(crowd.milliseconds);
    slowest.push(Math.max(...alone.map(timeOf)));
  }
  const again = (kind: (typeof KINDS)[number]) =>
    Math.max(...crowds.map(({ report }) => readAgain(report, kind)));
  return {
    together: spreadOf(times),
    slowestAlone: spreadOf(slowest),
    ratio: ratioSpread(times, slowest),
    readAgain: {
      pointer: again('pointer'),
      token: again('token'),
      part: again('part'),
      chunk: again('chunk'),
      other: again('other'),
    },
    failed: failedAlone + sum(crowds.map(({ failed }) => failed)),
  };
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
  isolate: FreshIsolate | undefined,
  requests: readonly PreparedRequest[],
  settings: LaneSettings,
): Promise<Rush> {
  if (!isolate) throw new Error('there are too few isolates');
  const { port, lane } = isolate;
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

/** How many reads of a kind were of keys that had been read already. */
function readAgain(report: LaneReport, kind: (typeof KINDS)[number]): number {
  const { reads, keys } = countOf(report, kind);
  if (kind !== 'other') return reads - keys;
  const release = countOf(report, 'release');
  return reads - keys + release.reads - release.keys;
}

const timeOf = ({ milliseconds }: Rush): number => milliseconds;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
