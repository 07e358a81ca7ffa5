/** What a flood of guesses costs those whose tokens are good, and storage. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { end, lookAfter } from '../child-process.ts';
import { Connection } from '../client/connection.ts';
import { expectAnswer, type PreparedRequest } from '../client/drive.ts';
import { BENCH_FOLDER } from '../folders.ts';
import type { GuessesResult, Latency } from '../report/hostile.ts';
import { quantilesOf, spreadOf } from '../report/statistics.ts';
import type { CaseName } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';
import { keysRead } from '../storage/protocol.ts';
import { INSTANT } from '../storage/storage.ts';
import { cpuSeconds } from './process-cost.ts';

/** Guesses a second, and the address that they come from. */
const GUESS_RATE = 2_000;
const ADDRESS = '198.51.100.7';

/** Rounds without guesses and with them in turn, and the seconds of each. */
const ROUNDS = 8;
const SECONDS = 6;

/** What a partner asks for meanwhile, 200 times a second. */
const CASES: readonly CaseName[] = ['get', 'list-20', 'near-city', 'not-modified'];
const REQUESTS_PER_CASE = 48;
const PAUSE = 5;

/** @param name the service, or the limit: what a flood costs where refusing costs next to nothing */
export async function measureGuesses(scene: Scene, name: 'ours' | 'limit'): Promise<GuessesResult> {
  const service = await scene.start(name, { limited: ['GUESS_LIMITER'] });
  const drawn = CASES.flatMap((name) =>
    new RequestStream(name, 'hot', scene.data.facts).take(REQUESTS_PER_CASE),
  );
  const requests = await scene.writer.prepareExact(drawn);
  await ask(service, requests, 2);
  const without: number[][] = [];
  const during: number[][] = [];
  const statuses: Record<string, number> = {};
  let [keys, seconds] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    without.push(await ask(service, requests, SECONDS));
    await scene.storage.restart(service.lane, INSTANT);
    const flood = await Flood.start(service);
    during.push(await ask(service, requests, SECONDS));
    const told = await flood.stop();
    keys += keysRead(await scene.storage.report(service.lane));
    seconds += told.seconds;
    for (const [status, count] of Object.entries(told.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
  }
  const cpuOfGuess = await costOfGuess(service);
  await service.process.stop();
  const guesses = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const ratios = without.map(
    (times, round) => quantilesOf(during[round] ?? []).p99 / quantilesOf(times).p99,
  );
  return {
    without: latencyOf(without.flat()),
    during: latencyOf(during.flat()),
    ratio: spreadOf(ratios).median,
    guessesPerSecond: guesses / seconds,
    wantedPerSecond: GUESS_RATE,
    cpuOfGuess,
    ...{ statuses, keys, seconds },
  };
}

/** Microseconds of CPU, while nobody else asks; null where it is not known. */
async function costOfGuess(service: RunningContender): Promise<number | null> {
  const { pid } = service.process;
  const flood = await Flood.start(service);
  const before = cpuSeconds(pid);
  await wait(1000 * SECONDS);
  const after = cpuSeconds(pid);
  const { statuses } = await flood.stop();
  const guesses = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return before === null || after === null ? null : (1e6 * (after - before)) / guesses;
}

/** Milliseconds that answers took, one request after another with a pause between them. */
async function ask(
  service: RunningContender,
  requests: readonly PreparedRequest[],
  seconds: number,
): Promise<number[]> {
  const connection = await Connection.open(service.port);
  const times: number[] = [];
  const over = performance.now() + 1000 * seconds;
  for (let turn = 0; performance.now() < over; turn++) {
    const request = requests[(turn * 7) % requests.length] as PreparedRequest;
    const start = performance.now();
    const answer = await connection.send(request.bytes);
    times.push(performance.now() - start);
    expectAnswer(request, answer);
    await wait(PAUSE);
  }
  connection.close();
  return times;
}

/** The process that guesses. */
class Flood {
  private readonly child: ReturnType<typeof startGuesser>;

  private constructor(child: ReturnType<typeof startGuesser>) {
    this.child = child;
  }

  static async start({ port }: RunningContender): Promise<Flood> {
    const child = startGuesser(port);
    await once(child.stdout, 'data');
    return new Flood(child);
  }

  /** Ends it; says for how long it guessed, and what it was answered. */
  async stop(): Promise<{ seconds: number; statuses: Record<string, number> }> {
    const told = once(this.child.stdout, 'data');
    this.child.stdin.end();
    const [text] = await told;
    await end(this.child);
    return JSON.parse(String(text));
  }
}

function startGuesser(port: number) {
  const program = join(BENCH_FOLDER, 'client', 'guesser.ts');
  const args = [program, String(port), String(GUESS_RATE), ADDRESS];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  lookAfter(child);
  return child;
}

function latencyOf(times: readonly number[]): Latency {
  const { p50, p99 } = quantilesOf(times);
  return { p50, p99, requests: times.length };
}
