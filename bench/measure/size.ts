/** Measures everything that is wanted at one number of stores. */
import { totalBytes } from '../../scripts/build/measure-release.ts';
import { LIST_PATH } from '../../src/http/paths.ts';
import { Connection } from '../client/connection.ts';
import { LastingConnection } from '../client/lasting-connection.ts';
import type { Regime } from '../regimes.ts';
import { count } from '../report/format.ts';
import type { CaseResult, ColdResult, D1Result, SizeResult } from '../report/results.ts';
import { CASES, type CaseName, statusOf } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import { takesPart, verifyAnswers } from '../requests/verify.ts';
import { openScene, type Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';
import { measureChanges } from './changes.ts';
import { type ColdPlan, measureCold } from './cold.ts';
import { measureCrowds } from './crowd.ts';
import { measureAgainstD1, openRivals } from './d1.ts';
import { type MemoryPlan, measureMemory } from './memory.ts';
import { measureOrders } from './order-cost.ts';
import { measurePublishing } from './publishing.ts';
import { measureSoak, type SoakPlan } from './soak.ts';
import { measureCase, type Plan, type Runners, warmUp } from './throughput.ts';
import { walkDirectory } from './walk.ts';
import { measureYardstick } from './yardstick.ts';

export interface Depth {
  readonly load: Plan;
  readonly cold: ColdPlan;
  readonly memory: MemoryPlan;
  readonly soak: SoakPlan;
  /** Of each kind of crowd, and of each case against D1. */
  readonly crowds: number;
  readonly d1Samples: number;
  /** Requests of each case whose answers are compared, hot and whole. */
  readonly compared: number;
}

export interface Wanted {
  readonly storeCount: number;
  readonly regimes: ReadonlySet<Regime>;
  readonly cases: readonly CaseName[];
}

/** From this size on orders are dear enough to be measured, and local publications too long. */
const LARGE = 25_000;

/** Regimes with ratios to the limit, or with bars that grow with what it takes. */
const HELD_AGAINST_LIMIT: readonly Regime[] = ['hot', 'whole', 'cold', 'changes'];

type Remark = (text: string) => void;

export async function measureSize(
  wanted: Wanted,
  depth: Depth,
  remark: Remark,
): Promise<SizeResult> {
  const { storeCount, regimes, cases } = wanted;
  remark(`${count(storeCount)} stores`);
  const scene = await openScene(
    {
      storeCount,
      withChanged: regimes.has('memory'),
      withLater: regimes.has('changes'),
      withCircle: regimes.has('soak'),
    },
    remark,
  );
  try {
    const needsLimit = [...regimes].some((regime) => HELD_AGAINST_LIMIT.includes(regime));
    const limit = needsLimit ? await scene.start('limit') : null;
    const yardstick = limit
      ? await measureYardstick(scene, limit, depth.load.rounds, depth.load)
      : null;
    const d1 = regimes.has('hot') || regimes.has('d1') ? await startD1(scene, remark) : null;
    const load = limit
      ? await measureLoad(scene, wanted, { limit, d1 }, depth, remark)
      : { cases: [], orders: null };
    await limit?.process.stop();
    const result: SizeResult = {
      ...{ storeCount, yardstick, ...load },
      releaseBytes: totalBytes(scene.data.snapshot.manifest),
      d1: regimes.has('d1') && d1 ? await measureD1(scene, d1, cases, depth, remark) : [],
      cold: regimes.has('cold') ? await measureColdCases(scene, cases, depth, remark) : [],
      crowd: regimes.has('crowd')
        ? await tell('crowds', remark, () => measureCrowds(cases, scene, depth.crowds))
        : null,
      memory: regimes.has('memory')
        ? await tell('memory', remark, () => measureMemory(scene, depth.memory))
        : null,
      publishing: regimes.has('publish')
        ? await tell('building', remark, () => measurePublishing(scene, storeCount < LARGE))
        : null,
      changes: await measureChangesOf(scene, depth, remark),
      soak: regimes.has('soak')
        ? await tell('soak', remark, () => measureSoak(scene, depth.soak, remark))
        : null,
    };
    return result;
  } finally {
    await scene.close();
  }
}

/** D1 fills its database when it is first asked. */
async function startD1(scene: Scene, remark: Remark): Promise<RunningContender> {
  const d1 = await scene.start('d1');
  await tell('filling D1', remark, async () => {
    const connection = await Connection.open(d1.port);
    await connection.send(scene.writer.writePath(`${LIST_PATH}?limit=1`));
    connection.close();
  });
  return d1;
}

async function measureLoad(
  scene: Scene,
  { storeCount, regimes, cases }: Wanted,
  { limit, d1 }: { readonly limit: RunningContender; readonly d1: RunningContender | null },
  depth: Depth,
  remark: Remark,
): Promise<Pick<SizeResult, 'cases' | 'orders'>> {
  const isHot = regimes.has('hot');
  const isWhole = regimes.has('whole');
  if (!isHot && !isWhole) return { cases: [], orders: null };
  const obvious = await scene.start('obvious', { heapLimit: 4_000 });
  const plain = isHot && d1 ? [obvious, d1] : [obvious];
  for (const contender of plain) await compareAnswers(scene, contender, cases, depth, remark);
  const whole = isWhole ? await scene.start('ours') : null;
  if (whole) await tell('a walk', remark, () => walkDirectory(scene, whole));
  const runners: Runners = { limit, whole, hot: isHot ? [scene.service, ...plain] : [] };
  await tell('warming up', remark, () => warmUp(cases, scene, runners, depth.load));
  const results: CaseResult[] = [];
  for (const name of cases) {
    const measured = () => measureCase(name, scene, runners, depth.load);
    results.push(await tell(CASES[name], remark, measured));
  }
  await obvious.process.stop();
  const orders =
    whole && storeCount >= LARGE
      ? await tell('orders', remark, () =>
          measureOrders(scene, whole, depth.load.rounds, depth.load),
        )
      : null;
  await whole?.process.stop();
  return { cases: results, orders };
}

/** Compares what a contender answers in both regimes. */
async function compareAnswers(
  scene: Scene,
  contender: RunningContender,
  cases: readonly CaseName[],
  { compared }: Depth,
  remark: Remark,
): Promise<void> {
  const connection = new LastingConnection(contender.port);
  const compareCase = async (name: CaseName) => {
    for (const purpose of ['hot', 'whole'] as const) {
      const requests = new RequestStream(name, purpose, scene.data.facts).take(compared);
      const prepared = await scene.writer.prepareAll(requests);
      await verifyAnswers(contender.name, connection, scene.connection, prepared);
    }
  };
  await tell(`comparing the answers of ${contender.name}`, remark, async () => {
    for (const name of cases) if (takesPart(contender.name, name)) await compareCase(name);
  });
  connection.close();
}

async function measureColdCases(
  scene: Scene,
  cases: readonly CaseName[],
  depth: Depth,
  remark: Remark,
): Promise<ColdResult[]> {
  const results: ColdResult[] = [];
  for (const name of cases) {
    const measured = () => measureCold(name, scene, depth.cold);
    results.push(await tell(`cold: ${CASES[name]}`, remark, measured));
  }
  return results;
}

async function measureD1(
  scene: Scene,
  { databasePort }: RunningContender,
  cases: readonly CaseName[],
  depth: Depth,
  remark: Remark,
): Promise<D1Result[]> {
  if (databasePort === null) throw new Error('D1 has no database');
  const rivals = openRivals(scene, databasePort);
  const results: D1Result[] = [];
  for (const name of cases.filter((one) => statusOf(one) === 200)) {
    const measured = () => measureAgainstD1(name, scene, rivals, depth.d1Samples);
    results.push(await tell(`against D1: ${CASES[name]}`, remark, measured));
  }
  await Promise.all([rivals.ours.stop(), rivals.d1.stop()]);
  return results;
}

async function measureChangesOf(scene: Scene, { cold, load }: Depth, remark: Remark) {
  const { later } = scene;
  if (!later) return null;
  const measured = () => measureChanges(scene, later, cold.samples, load.rounds, load);
  return tell('changes', remark, measured);
}

/** Says what is being done, and how long it took. */
async function tell<Value>(
  title: string,
  remark: Remark,
  work: () => Promise<Value>,
): Promise<Value> {
  const start = performance.now();
  const value = await work();
  remark(`  ${title.padEnd(36)} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return value;
}
