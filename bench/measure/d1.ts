/** The service against D1 when a query takes as long as a key of KV, and neither is slow now and then. */
import { Connection } from '../client/connection.ts';
import { expectAnswer, type PreparedRequest } from '../client/drive.ts';
import type { D1Result, Rivalry } from '../report/results.ts';
import { ratioSpread, spreadOf } from '../report/statistics.ts';
import type { CaseName } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import { type FreshIsolate, FreshIsolates } from '../server/fresh-isolates.ts';
import { COLD } from '../storage/storage.ts';

/** Milliseconds of the first request of an isolate, the same once more, another of the case. */
interface Times {
  readonly first: number;
  readonly second: number;
  readonly other: number;
}

/** Of both, ready to be asked. */
export interface Rivals {
  readonly ours: FreshIsolates;
  readonly d1: FreshIsolates;
}

const ISOLATES_PER_PROCESS = 25;

/** @param databasePort where the database of a running D1 contender listens */
export function openRivals(scene: Scene, databasePort: number): Rivals {
  const fresh = (name: 'ours' | 'd1', more: object) =>
    new FreshIsolates(
      (options) => scene.start(name, { ...options, ...more }),
      ISOLATES_PER_PROCESS,
    );
  return { ours: fresh('ours', {}), d1: fresh('d1', { databasePort }) };
}

export async function measureAgainstD1(
  name: CaseName,
  scene: Scene,
  rivals: Rivals,
  samples: number,
): Promise<D1Result> {
  const stream = new RequestStream(name, 'd1', scene.data.facts);
  const ours: Times[] = [];
  const d1: Times[] = [];
  for (let seed = 0; seed < samples; seed++) {
    const requests = await scene.writer.prepareAll(stream.take(2));
    const [request, other] = requests as [PreparedRequest, PreparedRequest];
    ours.push(await takeTimes(scene, await takeOne(rivals.ours), request, other, seed));
    d1.push(await takeTimes(scene, await takeOne(rivals.d1), request, other, seed));
  }
  const compare = (which: keyof Times): Rivalry => {
    const own = ours.map((times) => times[which]);
    const theirs = d1.map((times) => times[which]);
    return { ours: spreadOf(own), d1: spreadOf(theirs), ratio: ratioSpread(own, theirs) };
  };
  return { name, first: compare('first'), second: compare('second'), other: compare('other') };
}

async function takeOne(isolates: FreshIsolates): Promise<FreshIsolate> {
  const [isolate] = await isolates.take(1);
  if (!isolate) throw new Error('there is no isolate');
  return isolate;
}

async function takeTimes(
  { storage }: Scene,
  { port, lane }: FreshIsolate,
  request: PreparedRequest,
  other: PreparedRequest,
  seed: number,
): Promise<Times> {
  await storage.restart(lane, { ...COLD, slowShare: 0, seed });
  const connection = await Connection.open(port);
  const time = async (asked: PreparedRequest) => {
    const start = performance.now();
    const answer = await connection.send(asked.bytes);
    const milliseconds = performance.now() - start;
    expectAnswer(asked, answer);
    return milliseconds;
  };
  const times = {
    first: await time(request),
    second: await time(request),
    other: await time(other),
  };
  connection.close();
  return times;
}
