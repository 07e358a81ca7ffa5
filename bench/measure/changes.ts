/** What changed between two releases: the first request of an isolate, and the pages after it. */
import { CHANGES_PATH } from '../../src/http/paths.ts';
import { cpuOfEach } from '../client/drive.ts';
import { count, milliseconds } from '../report/format.ts';
import { percentilesOf, spreadOfKnown } from '../report/statistics.ts';
import { COLD, LATENCY } from '../storage/protocol.ts';
import { takeColdSample } from './cold.ts';
import { holdCpu, overRounds, type Run } from './run.ts';

/** Changes on a page: by default, and at most. */
const LIMITS = [100, 1000];

/** Pages asked for in a round, by an isolate that has compared the two. */
const PAGES = 20;

export async function measureChanges(run: Run): Promise<void> {
  const { publisher, data } = run.scene;
  const since = publisher.liveName;
  await publisher.putLive(data.snapshots.later);
  for (const limit of LIMITS) await measureFirst(run, since, limit);
  await measurePages(run, since);
  await publisher.putLive(data.snapshots.live);
}

const ask = ({ scene }: Run, query: string) => scene.writer.preparePath(`${CHANGES_PATH}?${query}`);

const titleOf = ({ where }: Run) => `changes between two releases, ${where}`;

async function measureFirst(run: Run, since: string, limit: number): Promise<void> {
  const { scene, findings } = run;
  const isolates = scene.freshIsolates('ours');
  const request = { prepared: ask(run, `since=${since}&limit=${limit}`), primer: null };
  const waits: number[] = [];
  const cpu: (number | null)[] = [];
  for (let seed = 0; seed < run.rounds; seed++) {
    const isolate = await isolates.one();
    const sample = await takeColdSample(scene, isolate, request, { ...COLD, seed });
    waits.push(sample.milliseconds);
    cpu.push(sample.cpu);
  }
  await isolates.stop();
  const label = `pages of ${count(limit)}`;
  const what = titleOf(run);
  const { p50 } = percentilesOf(waits);
  findings.atMost(`${what}: p50 of a fresh isolate`, milliseconds, label, p50, 5 * LATENCY);
  holdCpu(run, `${what}: CPU of a fresh isolate`, label, spreadOfKnown(cpu), 55);
}

/** Pages of up to 1,000 changes, each from another place, by an isolate that has compared the two. */
async function measurePages(run: Run, since: string): Promise<void> {
  const { scene, rounds } = run;
  const service = await scene.start('ours');
  const pages = Array.from({ length: PAGES }, (_, skip) =>
    ask(run, `since=${since}&limit=${Math.max(...LIMITS)}&skip=${skip}`),
  );
  const cpu = await overRounds(rounds, () => cpuOfEach(service, pages));
  await service.stop();
  holdCpu(run, `${titleOf(run)}: CPU of a page after the first`, '', cpu, 8);
}
