/** What changed between two releases: the first request of an isolate, and the pages after it. */

import { CHANGES_PATH } from '../../src/http/paths.ts';
import { Connection } from '../client/connection.ts';
import { expectAnswer, type PreparedRequest } from '../client/drive.ts';
import type { Snapshot } from '../data/prepare-data.ts';
import type { ChangesResult, FirstChanges } from '../report/results.ts';
import { percentilesOf, spreadOf } from '../report/statistics.ts';
import type { Scene } from '../scene.ts';
import { FreshIsolates } from '../server/fresh-isolates.ts';
import { keysRead } from '../storage/protocol.ts';
import { COLD } from '../storage/storage.ts';
import { type ColdSample, takeColdSample } from './cold-sample.ts';
import { spreadOfKnown, type TurnPlan, takeTurn } from './sample.ts';

/** Changes on a page: by default, and at most. */
const LIMITS = [100, 1000];

/** Isolates that a process starts with. */
const ISOLATES_PER_PROCESS = 12;

/** Pages asked for in a round, by an isolate that has compared the two. */
const PAGES = 20;

/** Longer than a turn takes: it ends when every request has been sent once. */
const SECONDS = 60;

/** @param samples first requests of each kind */
export async function measureChanges(
  scene: Scene,
  later: Snapshot,
  samples: number,
  rounds: number,
  plan: TurnPlan,
): Promise<ChangesResult> {
  const { publisher, data } = scene;
  const since = publisher.liveName;
  await publisher.putLive(later);
  try {
    const first: FirstChanges[] = [];
    for (const limit of LIMITS) first.push(await measureFirst(scene, since, limit, samples));
    return { ...(await measurePages(scene, since, rounds, plan)), first };
  } finally {
    await publisher.putLive(data.snapshot);
  }
}

function ask(scene: Scene, query: string): PreparedRequest {
  const bytes = scene.writer.writePath(`${CHANGES_PATH}?${query}`);
  return { bytes, status: 200, length: null, leastBytes: 50 };
}

async function measureFirst(
  scene: Scene,
  since: string,
  limit: number,
  samples: number,
): Promise<FirstChanges> {
  const start = (options: Parameters<Scene['start']>[1]) => scene.start('ours', options);
  const isolates = new FreshIsolates(start, ISOLATES_PER_PROCESS);
  const request = { prepared: ask(scene, `since=${since}&limit=${limit}`), primer: null };
  const taken: ColdSample[] = [];
  try {
    for (let seed = 0; seed < samples; seed++) {
      const [isolate] = await isolates.take(1);
      if (!isolate) throw new Error('there are too few isolates');
      taken.push(await takeColdSample(scene, isolate, request, { ...COLD, seed }));
    }
  } finally {
    await isolates.stop();
  }
  return {
    limit,
    milliseconds: percentilesOf(taken.map(({ milliseconds }) => milliseconds)),
    cpu: spreadOfKnown(taken.map(({ cpu }) => cpu)),
    keys: spreadOf(taken.map(({ report }) => keysRead(report))).median,
  };
}

/** Pages of up to 1,000 changes, each from another place, by an isolate that has compared the two. */
async function measurePages(
  scene: Scene,
  since: string,
  rounds: number,
  plan: TurnPlan,
): Promise<Pick<ChangesResult, 'total' | 'page'>> {
  const service = await scene.start('ours');
  const most = Math.max(...LIMITS);
  const connection = await Connection.open(service.port);
  const first = ask(scene, `since=${since}&limit=1`);
  const answer = await connection.fetch(first.bytes);
  expectAnswer(first, answer);
  const { total } = JSON.parse(answer.body.toString()) as { total: number };
  connection.close();
  const pages = Array.from({ length: PAGES }, (_, skip) =>
    ask(scene, `since=${since}&limit=${most}&skip=${skip}`),
  );
  const cpu: (number | null)[] = [];
  for (let round = 0; round < rounds; round++) {
    const turn = await takeTurn(service, pages, 'once', { ...plan, secondsPerRound: SECONDS });
    cpu.push(turn.cpu);
  }
  await service.process.stop();
  return { total, page: spreadOfKnown(cpu) };
}
