/**
 * Requests under load, in two regimes side by side. Hot asks 48 requests again and again; whole asks
 * none twice, of an isolate of its own that has walked the directory. All have their turn in every
 * round, so that what disturbs the machine disturbs all of them.
 */
import { LIST_PATH } from '../../src/http/paths.ts';
import { cpuOfEach, type PreparedRequest, SECONDS, type Turn, takeTurn } from '../client/drive.ts';
import { LARGE, SMALL } from '../data/stores.ts';
import { count, times } from '../report/format.ts';
import { ratioSpread, spreadOfKnown } from '../report/statistics.ts';
import { withLength } from '../requests/prepare-requests.ts';
import { CASES, type CaseName } from '../requests/request.ts';
import { HOT_REQUESTS, type RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';
import { INSTANT, objectReads } from '../storage/protocol.ts';
import { measureAddedCpu } from './added-cpu.ts';
import { compareAnswers } from './compare-answers.ts';
import { holdCpu, type Run } from './run.ts';

type Rival = 'limit' | 'obvious';

/** Bars of the hot regime. */
const HOT_BARS: readonly {
  readonly storeCount: number;
  readonly names: readonly CaseName[];
  readonly rival: Rival;
  readonly reach: number;
  readonly what: string;
}[] = [
  {
    ...{ storeCount: SMALL, names: ['list'], rival: 'limit', reach: 0.85 },
    what: 'list of 100 whole stores, against the limit',
  },
  {
    ...{ storeCount: SMALL, names: ['get', 'get-slug'], rival: 'limit', reach: 0.75 },
    what: 'one store, against the limit',
  },
  {
    ...{ storeCount: SMALL, names: ['list-fields'], rival: 'limit', reach: 0.4 },
    what: 'list of 100 with five fields, against the limit',
  },
  {
    ...{ storeCount: SMALL, names: ['list-fields', 'list'], rival: 'obvious', reach: 6 },
    what: 'lists of 100, with five fields and whole, against the obvious app',
  },
  {
    ...{ storeCount: LARGE, names: ['near-city'], rival: 'obvious', reach: 30 },
    what: 'nearest 20 in towns, 100,000 stores, against the obvious app',
  },
];

/** Milliseconds of CPU over the whole of a large directory. */
const WHOLE_CPU: Partial<Record<CaseName, number>> = {
  ...{ list: 8, names: 12, 'near-wide': 12 },
  ...{ 'list-20': 3, 'names-20': 4, 'near-city': 4 },
};

const WHOLE_SHARE = 0.85;

/** Stores on a page of a walk. */
const PAGE = 100;

/** Requests of the whole regime that are made ready for a round; an entity tag costs a request. */
const READY_REQUESTS = 1_250;
const READY_CONDITIONAL_REQUESTS = 300;

/** How long each contender answers before anything is timed: V8 goes on compiling for seconds. */
const WARM_UP_SECONDS = 10;

interface Runners {
  readonly limit: RunningContender;
  readonly obvious: RunningContender;
  /** The service after a walk; the one that is asked for hot requests is the scene's own. */
  readonly walked: RunningContender;
}

export async function measureLoad(run: Run): Promise<void> {
  const { scene, cases, limit } = run;
  const obvious = await scene.start('obvious', { heapLimit: 4_000 });
  const barred = cases.filter((name) => barsOf(run, name).some(({ rival }) => rival === 'obvious'));
  run.remark(`  comparing answers`);
  await compareAnswers(scene, obvious, barred, run.rounds);
  const walked = await scene.start('ours');
  run.remark(`  a walk`);
  await walkDirectory(scene, walked);
  const runners = { limit, obvious, walked };
  run.remark(`  warming up`);
  await warmUp(run, runners);
  for (const name of cases) {
    run.remark(`  ${CASES[name]}`);
    await measureCase(name, run, runners);
  }
  if (run.storeCount === LARGE) {
    run.remark(`  orders and conditions`);
    await measureAddedCpu(run, walked);
  }
  await Promise.all([obvious.stop(), walked.stop()]);
}

const barsOf = ({ storeCount }: Run, name: CaseName) =>
  HOT_BARS.filter((bar) => bar.storeCount === storeCount && bar.names.includes(name));

/** Asks for every page once. @throws Error when one is not answered with 200 */
export async function walkDirectory({ data, writer }: Scene, service: RunningContender) {
  const pages = Array.from({ length: Math.ceil(data.storeCount / PAGE) }, (_, page) =>
    writer.preparePath(`${LIST_PATH}?skip=${page * PAGE}&limit=${PAGE}`),
  );
  await cpuOfEach(service, pages);
}

/** Nothing is counted: V8 compiles during the first requests. */
async function warmUp({ scene, cases, rounds }: Run, { limit, walked }: Runners): Promise<void> {
  const seconds = Math.min(WARM_UP_SECONDS, rounds) / cases.length;
  for (const name of cases) {
    const requests = await prepareHot(name, scene);
    for (const contender of [scene.service, limit, walked]) {
      await takeTurn(contender, requests, 'again', seconds);
    }
  }
}

async function measureCase(name: CaseName, run: Run, runners: Runners): Promise<void> {
  const { scene, rounds, findings } = run;
  const { limit, obvious, walked } = runners;
  const bars = barsOf(run, name);
  const contenders = [scene.service, limit];
  if (bars.some(({ rival }) => rival === 'obvious')) contenders.push(obvious);
  const requests = await prepareHot(name, scene);
  const stream = scene.stream(name, 'whole');
  const hot: Turn[][] = contenders.map(() => []);
  const whole: [own: Turn[], limit: Turn[]] = [[], []];
  // Round -1 is there to warm up what this case alone needs.
  for (let round = -1; round < rounds; round++) {
    if (round === 0) await scene.storage.restart(walked.lane, INSTANT);
    // The order changes from round to round, so that no contender always follows the same other.
    for (let turn = 0; turn < contenders.length; turn++) {
      const number = (turn + round + 1) % contenders.length;
      const taken = await takeTurn(contenders[number] as RunningContender, requests);
      if (round >= 0) hot[number]?.push(taken);
    }
    const taken = await wholeRound(name, scene, walked, limit, stream);
    if (round >= 0) for (const [number, turn] of taken.entries()) whole[number]?.push(turn);
  }
  const [own = [], ofLimit = [], ofObvious = []] = hot;
  const against = (turns: readonly Turn[]) => ratioSpread(perSecond(own), perSecond(turns));
  for (const { what, rival, reach } of bars) {
    const ratio = against(rival === 'limit' ? ofLimit : ofObvious);
    findings.atLeast(`hot: ${what}`, times, CASES[name], ratio, reach);
  }
  const reads = objectReads(await scene.storage.report(walked.lane));
  holdWhole(name, run, { own: whole[0], limit: whole[1], reads, hot: [own, ofLimit] });
  const { storeCount } = run;
  const cpu = cpuOf(own)?.median ?? null;
  findings.costs.push({ storeCount, name, share: against(ofLimit).median, cpu });
}

interface WholeTurns {
  readonly own: readonly Turn[];
  readonly limit: readonly Turn[];
  /** Parts and chunks that came from KV. */
  readonly reads: number;
  /** The same case hot: of the service, and of the limit. */
  readonly hot: readonly [readonly Turn[], readonly Turn[]];
}

function holdWhole(name: CaseName, run: Run, { own, limit, reads, hot }: WholeTurns): void {
  const { storeCount, where, findings } = run;
  const label = CASES[name];
  if (storeCount === SMALL) {
    const what = `whole, ${where}: share of the limit, against the same case hot`;
    const shares = ratioSpread(sharesOf(own, limit), sharesOf(...hot));
    findings.atLeast(what, times, label, shares, WHOLE_SHARE);
    findings.atMost(`whole, ${where}: objects read from KV`, count, label, reads, 0);
  }
  const reach = WHOLE_CPU[name];
  if (storeCount !== LARGE || reach === undefined) return;
  const what = `whole, ${where}: CPU of a list of 100 by id / 100 scattered / 20 by id / 20 scattered`;
  holdCpu(run, what, label, cpuOf(own), reach, '8 / 12 / 3 / 4 ms');
}

const cpuOf = (turns: readonly Turn[]) => spreadOfKnown(turns.map(({ cpu }) => cpu));

const perSecond = (turns: readonly Turn[]) => turns.map((turn) => turn.perSecond);

const sharesOf = (own: readonly Turn[], limit: readonly Turn[]) =>
  own.map((turn, round) => turn.perSecond / (limit[round]?.perSecond ?? Number.NaN));

/** The requests of the hot regime. */
function prepareHot(name: CaseName, { stream, writer }: Scene): Promise<PreparedRequest[]> {
  return writer.prepareExact(stream(name, 'hot').take(HOT_REQUESTS));
}

/** The limit follows with the lengths that the service has just sent. */
async function wholeRound(
  name: CaseName,
  { writer }: Scene,
  walked: RunningContender,
  limit: RunningContender,
  stream: RequestStream,
): Promise<[Turn, Turn]> {
  const ready = name === 'not-modified' ? READY_CONDITIONAL_REQUESTS : READY_REQUESTS;
  const requests = await writer.prepareAll(stream.take(ready));
  const own = await takeTurn(walked, requests, 'once', SECONDS);
  const same = own.lengths.map((length, number) =>
    withLength(requests[number] as PreparedRequest, length),
  );
  return [own, await takeTurn(limit, same)];
}
