/** The service against D1 when a query takes as long as a key of KV, and neither is slow now and then. */
import { itemAt } from '../../fixtures/generator/random.ts';
import type { PreparedRequest } from '../client/drive.ts';
import { spreadOf, times } from '../report/figures.ts';
import { CASES, type CaseName, isInD1, statusOf } from '../requests/request.ts';
import type { Scene } from '../scene.ts';
import type { FreshIsolates } from '../server/contender.ts';
import { COLD } from '../storage/protocol.ts';
import { compareAnswers } from './compare-answers.ts';
import { type Run, takeOne, timeOf } from './run.ts';

/** Of the first request of an isolate, the same once more, another of the case. */
const BARS = [
  { what: 'first request against D1', reach: 2 },
  { what: 'second of the same against D1', reach: 1 },
  { what: 'other cold documents against D1', reach: 1.5 },
];

export async function measureAgainstD1(run: Run): Promise<void> {
  const { scene } = run;
  const cases = run.cases.filter((name) => statusOf(name) === 200 && isInD1(name));
  const database = await scene.start('database');
  const databasePort = database.port;
  const d1Alone = await scene.start('d1', { databasePort });
  // It fills its database when it is first asked.
  run.remark('  comparing answers');
  await compareAnswers(scene, d1Alone, cases, Math.min(run.rounds, 6));
  const ours = scene.freshIsolates('ours');
  const d1 = scene.freshIsolates('d1', { databasePort });
  for (const name of cases) {
    run.remark(`  ${CASES[name]}`);
    await measureCase(name, run, ours, d1);
  }
  await Promise.all([ours.stop(), d1.stop(), d1Alone.stop(), database.stop()]);
}

async function measureCase(name: CaseName, run: Run, ours: FreshIsolates, d1: FreshIsolates) {
  const { scene, findings, where, rounds } = run;
  const stream = scene.stream(name, 'd1');
  const ratios = BARS.map((): number[] => []);
  for (let seed = 0; seed < rounds; seed++) {
    const asked = await scene.writer.prepareAll(stream.take(2));
    const own = await askFresh(scene, ours, asked, seed);
    const theirs = await askFresh(scene, d1, asked, seed);
    for (const [index, taken] of ratios.entries())
      taken.push(itemAt(own, index) / itemAt(theirs, index));
  }
  for (const [index, { what, reach }] of BARS.entries()) {
    const ratio = spreadOf(itemAt(ratios, index));
    findings.atMost(`${what}, ${where}: time`, times, CASES[name], ratio, reach);
  }
}

/** Returns the milliseconds of the first request to a fresh isolate, of the same once more, and of the other. */
async function askFresh(
  scene: Scene,
  isolates: FreshIsolates,
  asked: readonly PreparedRequest[],
  seed: number,
): Promise<number[]> {
  const isolate = await isolates.one();
  return Array.fromAsync([...asked.slice(0, 1), ...asked], async (request) =>
    timeOf(await takeOne(scene, isolate, request, { ...COLD, slowShare: 0, seed })),
  );
}
