/** What changed between two releases: the first request of an isolate, and the pages after it. */
import { CHANGES_PATH } from '../../src/http/paths.ts';
import { cpuOfEach } from '../client/drive.ts';
import { count, milliseconds, percentilesOf, spreadOf } from '../report/figures.ts';
import { COLD, LATENCY } from '../storage/protocol.ts';
import { cpuOf, holdCpu, overRounds, type Run, takeOne, timeOf } from './run.ts';

/** Changes on a page: by default, and at most. */
const LIMITS = [100, 1000];

/** Pages asked for in a round, by an isolate that has compared the two. */
const PAGES = 20;

export async function measureChanges(run: Run): Promise<void> {
  const { publisher, data } = run.scene;
  const path = `${CHANGES_PATH}?since=${publisher.liveName}`;
  await publisher.putLive(data.snapshots.later);
  for (const limit of LIMITS) await measureFirst(run, path, limit);
  await measurePages(run, path);
  await publisher.putLive(data.snapshots.live);
}

const titleOf = ({ where }: Run) => `changes between two releases, ${where}`;

async function measureFirst(run: Run, path: string, limit: number): Promise<void> {
  const { scene, findings } = run;
  const isolates = scene.freshIsolates('ours');
  const request = scene.writer.preparePath(`${path}&limit=${limit}`);
  const samples = await Array.fromAsync({ length: run.rounds }, async (_, seed) =>
    takeOne(scene, await isolates.one(), request, { ...COLD, seed }),
  );
  await isolates.stop();
  const label = `pages of ${count(limit)}`;
  const what = titleOf(run);
  const { p50 } = percentilesOf(samples.map(timeOf));
  findings.atMost(`${what}: p50 of a fresh isolate`, milliseconds, label, p50, 5 * LATENCY);
  holdCpu(run, `${what}: CPU of a fresh isolate`, label, spreadOf(samples.map(cpuOf)), 55);
}

/** Measures pages of up to 1,000 changes, each after another id, of an isolate that has compared the two. */
async function measurePages(run: Run, path: string): Promise<void> {
  const { scene, rounds } = run;
  const service = await scene.start('ours');
  const pages = Array.from({ length: PAGES }, (_, skip) =>
    scene.writer.preparePath(`${path}&limit=${Math.max(...LIMITS)}&skip=${skip}`),
  );
  const cpu = await overRounds(rounds, () => cpuOfEach(service, pages));
  await service.stop();
  holdCpu(run, `${titleOf(run)}: CPU of a page after the first`, '', cpu, 8);
}
