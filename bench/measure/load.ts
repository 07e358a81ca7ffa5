/**
 * Requests under load, in two regimes side by side. Hot asks 48 requests again and again; whole asks
 * none twice, of an isolate of its own that has walked the directory. All have their turn in every
 * round, so that what disturbs the machine disturbs all of them.
 */
import { itemAt } from '../../fixtures/generator/random.ts';
import { LIST_PATH } from '../../src/http/paths.ts';
import { LARGE, SMALL } from '../choices.ts';
import { cpuOfEach, type PreparedRequest, SECONDS, type Turn, takeTurn } from '../client/drive.ts';
import { count, milliseconds, spreadOf, times } from '../report/figures.ts';
import { withLength } from '../requests/prepare-requests.ts';
import { CASES, type CaseName } from '../requests/request.ts';
import { HOT_REQUESTS, type RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import type { ContenderName } from '../server/bundle.ts';
import type { RunningContender } from '../server/contender.ts';
import { INSTANT, readsOf } from '../storage/protocol.ts';
import { measureAddedCpu } from './added-cpu.ts';
import { compareAnswers } from './compare-answers.ts';
import { holdCpu, type Run } from './run.ts';

const RIVALS = { limit: 'the limit', obvious: 'the obvious app' };
type Rival = keyof typeof RIVALS;

/** Times the throughput of a rival that hot requests have to reach, by the number of stores. */
const HOT_BARS: Readonly<
  Record<number, Partial<Record<CaseName, Partial<Record<Rival, number>>>>>
> = {
  [SMALL]: {
    get: { limit: 0.7 },
    'get-slug': { limit: 0.7 },
    list: { limit: 0.85, obvious: 4 },
    'list-fields': { limit: 0.4, obvious: 4 },
  },
  [LARGE]: { 'near-city': { obvious: 12 } },
};

/** Milliseconds of CPU over the whole of a large directory. */
const WHOLE_CPU: Partial<Record<CaseName, number>> = {
  ...{ list: 8, names: 12, 'near-wide': 16 },
  ...{ 'list-20': 3, 'names-20': 5, 'near-city': 5 },
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
  readonly obvious: RunningContender;
  /** The service after a walk. The scene's own service gets the hot requests. */
  readonly walked: RunningContender;
}

export async function measureLoad(run: Run): Promise<void> {
  const { scene, cases } = run;
  const obvious = await scene.start('obvious', { heapLimit: 4_000 });
  const compared = cases.filter((name) => barsOf(run, name).obvious);
  run.remark(`  comparing answers`);
  await compareAnswers(scene, obvious, compared, run.rounds);
  const walked = await scene.start('ours');
  run.remark(`  a walk`);
  await walkDirectory(scene, walked);
  const runners = { obvious, walked };
  run.remark(`  warming up`);
  await warmUp(run, walked);
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

const barsOf = ({ storeCount }: Run, name: CaseName) => HOT_BARS[storeCount]?.[name] ?? {};

/** Asks for every page once. @throws Error when one is not answered with 200 */
export async function walkDirectory({ data, writer }: Scene, service: RunningContender) {
  const pages = Array.from({ length: Math.ceil(data.storeCount / PAGE) }, (_, page) =>
    writer.preparePath(`${LIST_PATH}?skip=${page * PAGE}&limit=${PAGE}`),
  );
  await cpuOfEach(service, pages);
}

/** Sends requests without counting: V8 compiles during the first ones. */
async function warmUp({ scene, limit, cases, rounds }: Run, walked: RunningContender) {
  const seconds = Math.min(WARM_UP_SECONDS, rounds) / cases.length;
  for (const name of cases) {
    const requests = await prepareHot(name, scene);
    for (const contender of [scene.service, limit, walked]) {
      await takeTurn(contender, requests, 'again', seconds);
    }
  }
}

/** A turn of each contender, in both regimes. */
interface Round {
  readonly hot: Partial<Record<ContenderName, Turn>>;
  readonly whole: Partial<Record<ContenderName, Turn>>;
}

async function measureCase(name: CaseName, run: Run, { obvious, walked }: Runners) {
  const { scene, limit, findings, storeCount, where } = run;
  const bars = barsOf(run, name);
  const contenders = [scene.service, limit];
  if (bars.obvious) contenders.push(obvious);
  const requests = await prepareHot(name, scene);
  const stream = scene.stream(name, 'whole');
  const rounds: Round[] = [];
  // Round -1 is there to warm up what this case alone needs.
  for (let round = -1; round < run.rounds; round++) {
    if (round === 0) await scene.storage.restart(walked.lane, INSTANT);
    const hot: Round['hot'] = {};
    // The order changes from round to round, so that no contender always follows the same other.
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = itemAt(contenders, (turn + round + 1) % contenders.length);
      hot[contender.name] = await takeTurn(contender, requests);
    }
    const taken = { hot, whole: await wholeRound(name, scene, walked, limit, stream) };
    if (round >= 0) rounds.push(taken);
  }
  const label = CASES[name];
  const against = (rival: Rival) => spreadOf(rounds.map(({ hot }) => shareOf(hot, rival)));
  for (const rival of ['limit', 'obvious'] as const) {
    const what = `hot, ${where}: ${label}, against ${RIVALS[rival]}`;
    const reach = bars[rival];
    if (reach) findings.atLeast(what, times, '', against(rival), reach);
  }
  const cpu = spreadOf(rounds.map(({ hot }) => cpuOf(hot))).median;
  const share = against('limit').median;
  const cell = { storeCount, name };
  // Unknown on systems without /proc.
  if (cpu) findings.noticed.push({ ...cell, column: 'CPU', value: cpu, text: milliseconds(cpu) });
  findings.noticed.push({ ...cell, column: 'hot', value: share, text: times(share) });
  if (storeCount === SMALL) {
    const shares = rounds.map(({ hot, whole }) => shareOf(whole, 'limit') / shareOf(hot, 'limit'));
    const what = `whole, ${where}: share of the limit, against the same case hot`;
    findings.atLeast(what, times, label, spreadOf(shares), WHOLE_SHARE);
    const reads = readsOf(await scene.storage.report(walked.lane), 'part', 'chunk');
    findings.atMost(`whole, ${where}: objects read from KV`, count, label, reads, 0);
  }
  const reach = WHOLE_CPU[name];
  if (storeCount !== LARGE || reach === undefined) return;
  const wholeCpu = spreadOf(rounds.map(({ whole }) => cpuOf(whole)));
  holdCpu(run, `whole, ${where}: CPU of a list`, label, wholeCpu, reach);
}

const cpuOf = ({ ours }: Round['hot']) => ours?.cpu ?? Number.NaN;

/** Returns the throughput of the service in shares of the rival's. */
const shareOf = ({ ours, ...others }: Round['hot'], rival: Rival) =>
  (ours?.perSecond ?? Number.NaN) / (others[rival]?.perSecond ?? Number.NaN);

/** Makes the requests of the hot regime. */
function prepareHot(name: CaseName, { stream, writer }: Scene): Promise<PreparedRequest[]> {
  return writer.prepareExact(stream(name, 'hot').take(HOT_REQUESTS));
}

/** Takes a round of the whole regime. The limit comes after the service, with the lengths that it has sent. */
async function wholeRound(
  name: CaseName,
  { writer }: Scene,
  walked: RunningContender,
  limit: RunningContender,
  stream: RequestStream,
): Promise<Round['whole']> {
  const ready = name === 'not-modified' ? READY_CONDITIONAL_REQUESTS : READY_REQUESTS;
  const requests = await writer.prepareAll(stream.take(ready));
  const ours = await takeTurn(walked, requests, 'once', SECONDS);
  const same = ours.lengths.map((length, number) => withLength(itemAt(requests, number), length));
  return { ours, limit: await takeTurn(limit, same) };
}
