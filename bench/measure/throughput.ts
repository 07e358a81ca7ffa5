/**
 * A case under load, in two regimes side by side. Hot asks 48 requests again and again; whole asks
 * none twice, of an isolate of its own that has walked the directory. All have their turn in every
 * round, so that what disturbs the machine disturbs everybody.
 */
import type { PreparedRequest } from '../client/drive.ts';
import type { CaseResult, RegimeResult } from '../report/results.ts';
import { ratioSpread } from '../report/statistics.ts';
import { withLength } from '../requests/prepare-requests.ts';
import type { CaseName } from '../requests/request.ts';
import { HOT_REQUESTS, RequestStream } from '../requests/request-log.ts';
import { takesPart } from '../requests/verify.ts';
import type { Scene } from '../scene.ts';
import type { ContenderName } from '../server/configuration.ts';
import type { RunningContender } from '../server/contender.ts';
import { objectReads } from '../storage/protocol.ts';
import { INSTANT } from '../storage/storage.ts';
import { measureLatency } from './latency.ts';
import { type Turn, type TurnPlan, takeTurn, throughputOf } from './sample.ts';

export interface Plan extends TurnPlan {
  readonly rounds: number;
  /** Rounds of those against whom no bar is held in a case. */
  readonly fewRounds: number;
  /** How long each contender answers before anything is timed. */
  readonly warmUpSeconds: number;
}

export interface Runners {
  readonly limit: RunningContender;
  /** The service and its rivals; empty: the regime is left out. */
  readonly hot: readonly RunningContender[];
  /** The service after a walk; null: the regime is left out. */
  readonly whole: RunningContender | null;
}

type Turns = Map<ContenderName, Turn[]>;

/** Where a bar is held against the obvious app. */
const AGAINST_OBVIOUS: readonly CaseName[] = ['list', 'list-fields', 'near-city'];

/** Requests of the whole regime that are made ready for a round; an entity tag costs a request. */
const READY_REQUESTS = 1_250;
const READY_CONDITIONAL_REQUESTS = 300;

/**
 * Has every contender answer all cases, and nobody counts: V8 goes on compiling for seconds, beside
 * what it has compiled already, and whoever had the first case would pay for that.
 */
export async function warmUp(
  cases: readonly CaseName[],
  scene: Scene,
  { limit, hot, whole }: Runners,
  plan: Plan,
): Promise<void> {
  const contenders = [...hot, limit, ...(whole ? [whole] : [])];
  const turn = { ...plan, secondsPerRound: plan.warmUpSeconds / cases.length };
  for (const name of cases) {
    const requests = await prepareHot(name, scene);
    for (const contender of contenders) {
      if (!takesPart(contender.name, name)) continue;
      await takeTurn(contender, expectedOf(contender, requests), 'again', turn);
    }
  }
}

export async function measureCase(
  name: CaseName,
  scene: Scene,
  runners: Runners,
  plan: Plan,
): Promise<CaseResult> {
  const { facts } = scene.data;
  const hot: Turns = new Map();
  const whole: Turns = new Map();
  const hotRequests = runners.hot.length > 0 ? await prepareHot(name, scene) : null;
  const stream = new RequestStream(name, 'whole', facts);
  // Round -1 is there to warm up what this case alone needs.
  for (let round = -1; round < plan.rounds; round++) {
    if (round === 0) await restartLanes(scene, runners);
    if (hotRequests) await hotRound(name, runners, hotRequests, round, plan, hot);
    if (runners.whole) await wholeRound(scene, runners, stream, round, plan, whole);
  }
  const hotResult = hotRequests && (await summarise(scene, runners.hot[0], hot, hotRequests));
  const last = runners.whole ? await scene.writer.prepareAll(stream.take(HOT_REQUESTS)) : [];
  const wholeResult = runners.whole && (await summarise(scene, runners.whole, whole, last));
  return { name, hot: hotResult, whole: wholeResult, wholeAgainstHot: compareShares(whole, hot) };
}

/** The requests of the hot regime. */
function prepareHot(name: CaseName, { data, writer }: Scene): Promise<PreparedRequest[]> {
  return writer.prepareExact(new RequestStream(name, 'hot', data.facts).take(HOT_REQUESTS));
}

/** Who begins changes from round to round, so that nobody always follows the same other. */
async function hotRound(
  name: CaseName,
  { limit, hot }: Runners,
  requests: readonly PreparedRequest[],
  round: number,
  plan: Plan,
  turns: Turns,
): Promise<void> {
  const taking = [...hot, limit].filter(
    (contender) => takesPart(contender.name, name) && round < roundsOf(contender.name, name, plan),
  );
  for (let turn = 0; turn < taking.length; turn++) {
    const contender = taking[(turn + round + 1) % taking.length] as RunningContender;
    const expected = expectedOf(contender, requests);
    record(turns, contender, round, await takeTurn(contender, expected, 'again', plan));
  }
}

/** Contenders word their refusals differently. */
function expectedOf(
  { name }: RunningContender,
  requests: readonly PreparedRequest[],
): readonly PreparedRequest[] {
  if (name === 'limit') return requests;
  return requests.map((request) =>
    request.status < 400 ? request : { ...request, length: null, leastBytes: 0 },
  );
}

/** The limit follows with the lengths that the service has just sent. */
async function wholeRound(
  scene: Scene,
  { limit, whole }: Runners,
  stream: RequestStream,
  round: number,
  plan: Plan,
  turns: Turns,
): Promise<void> {
  if (!whole) return;
  const count = stream.isConditional ? READY_CONDITIONAL_REQUESTS : READY_REQUESTS;
  const requests = await scene.writer.prepareAll(stream.take(count));
  const turn = await takeTurn(whole, requests, 'once', plan);
  record(turns, whole, round, turn);
  const same = turn.drive.lengths.map((length, number) =>
    withLength(requests[number] as PreparedRequest, length),
  );
  record(turns, limit, round, await takeTurn(limit, same, 'again', plan));
}

function roundsOf(contender: ContenderName, name: CaseName, plan: Plan): number {
  if (contender === 'ours' || contender === 'limit') return plan.rounds;
  const isBarred = contender === 'obvious' && AGAINST_OBVIOUS.includes(name);
  return isBarred ? plan.rounds : plan.fewRounds;
}

function record(turns: Turns, { name }: RunningContender, round: number, turn: Turn): void {
  if (round < 0) return;
  turns.set(name, [...(turns.get(name) ?? []), turn]);
}

async function restartLanes({ storage }: Scene, { hot, whole }: Runners): Promise<void> {
  for (const { name, lane } of whole ? [...hot, whole] : hot) {
    if (name === 'ours') await storage.restart(lane, INSTANT);
  }
}

/** @param requests to measure milliseconds by */
async function summarise(
  { storage }: Scene,
  service: RunningContender | undefined,
  turns: Turns,
  requests: readonly PreparedRequest[],
): Promise<RegimeResult> {
  if (!service) throw new Error('the service is not among the contenders');
  const contenders: { -readonly [Name in ContenderName]?: RegimeResult['contenders'][Name] } = {};
  const ratios: { -readonly [Name in ContenderName]?: RegimeResult['ratios'][Name] } = {};
  const ours = (turns.get('ours') ?? []).map(({ perSecond }) => perSecond);
  for (const [name, own] of turns) {
    contenders[name] = throughputOf(own);
    const theirs = own.map(({ perSecond }) => perSecond);
    if (name !== 'ours') ratios[name] = ratioSpread(ours.slice(0, theirs.length), theirs);
  }
  const reads = objectReads(await storage.report(service.lane));
  const milliseconds = await measureLatency(storage, service, requests);
  return { contenders, ratios, milliseconds, objectReads: reads };
}

/** Shares of the limit, round by round. */
function compareShares(whole: Turns, hot: Turns): CaseResult['wholeAgainstHot'] {
  if (whole.size === 0 || hot.size === 0) return null;
  return ratioSpread(sharesOf(whole), sharesOf(hot));
}

function sharesOf(turns: Turns): number[] {
  const limit = turns.get('limit') ?? [];
  return (turns.get('ours') ?? []).map(
    ({ perSecond }, round) => perSecond / (limit[round]?.perSecond ?? Number.NaN),
  );
}
