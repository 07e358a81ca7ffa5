/** Callers that ask, pause and ask again, all kinds of requests alike often. */
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../fixtures/generator/random.ts';
import type { Answer, WholeAnswer } from '../client/connection.ts';
import { LastingConnection } from '../client/lasting-connection.ts';
import type { StoreFacts } from '../data/store-facts.ts';
import { STORE_OPTIONS } from '../data/store-options.ts';
import { headerOf, type RequestWriter } from '../requests/prepare-requests.ts';
import {
  drawSoakRequest,
  isGood,
  SOAK_KINDS,
  type SoakKind,
  type SoakRequest,
} from '../requests/soak-request.ts';

/**
 * Few, so that a busy machine only makes them slower: with many at a time, answers would be late for
 * want of a core, and a request that waits for storage for five seconds is answered with a 503.
 */
export const CALLERS = 5;

/** Milliseconds between an answer and the next request, on average. */
export const PAUSE = 250;
/** The server closes a connection that is idle for some seconds. */
const LONGEST_PAUSE = 2_000;

/**
 * Milliseconds between the first request of one caller and that of the next: what a crowd of first
 * requests waits for is measured elsewhere.
 */
const HEAD_START = 2_000;

/** Milliseconds after which an answer has failed. */
const PATIENCE = 60_000;

/** Releases back from the newest that changes are asked since: all ten of the circle differ. */
const REACH = 9;

/** Failed answers that are described. */
const DESCRIBED = 5;

interface Caller {
  /** Milliseconds that it waits before it begins to ask. */
  readonly headStart: number;
  readonly random: Random;
  readonly connection: LastingConnection;
}

export class SoakTraffic {
  failed = 0;
  /** What was asked and what came, of the first failed answers. */
  readonly failures: string[] = [];
  /** Names of the releases that answers came from, in this order. */
  readonly releases: string[] = [];
  /** Milliseconds of each request. */
  readonly times = new Map<SoakKind, number[]>(SOAK_KINDS.map((kind) => [kind, []]));
  private readonly writer: RequestWriter;
  private readonly facts: StoreFacts;
  private readonly callers: readonly Caller[];
  private isPaused = true;
  private hasBegun = false;
  private asking: Promise<unknown> = Promise.resolve();

  /** @param facts of stores that every release has */
  constructor(writer: RequestWriter, facts: StoreFacts, port: number) {
    this.writer = writer;
    this.facts = facts;
    this.callers = Array.from({ length: CALLERS }, (_, number) => ({
      headStart: number * HEAD_START,
      random: new Random(STORE_OPTIONS.seed, number),
      connection: new LastingConnection(port),
    }));
  }

  get requests(): number {
    return this.times.values().reduce((sum, { length }) => sum + length, 0);
  }

  resume(): void {
    this.isPaused = false;
    this.asking = Promise.all(this.callers.map((caller) => this.keepAsking(caller, this.hasBegun)));
    this.hasBegun = true;
  }

  /** Waits until every request under way is answered. */
  async pause(): Promise<void> {
    this.isPaused = true;
    await this.asking;
  }

  private async keepAsking(caller: Caller, hasBegun: boolean): Promise<void> {
    await wait(hasBegun ? drawPause(caller.random) : caller.headStart);
    while (!this.isPaused) {
      await this.ask(caller);
      await wait(drawPause(caller.random));
    }
    caller.connection.close();
  }

  private async ask({ random, connection }: Caller): Promise<void> {
    const kind = random.pick(SOAK_KINDS);
    const recent = this.releases.slice(-REACH);
    const request = drawSoakRequest(kind, random, this.facts, this.writer, recent);
    const answer = await this.send(kind, request, request.bytes, connection);
    if (!answer) return;
    this.note(headerOf(answer, 'x-snapshot-release'));
    const tag = headerOf(answer, 'etag');
    if (!request.conditional || tag === undefined) return;
    await this.send(kind, request, request.conditional(tag), connection);
  }

  /** Returns the answer, if it is looked at and if it came. */
  private async send(
    kind: SoakKind,
    request: SoakRequest,
    bytes: Uint8Array,
    connection: LastingConnection,
  ): Promise<WholeAnswer | null> {
    const isLookedAt = kind === 'empty' || request.conditional !== null;
    const start = performance.now();
    const whole = isLookedAt ? connection.fetch(bytes) : null;
    const sent: Promise<Answer> = whole ?? connection.send(bytes);
    const answer = await withinPatience(sent).catch((error: Error) => error);
    if (answer instanceof Error) connection.close();
    this.times.get(kind)?.push(performance.now() - start);
    this.judge(request, bytes, answer);
    return answer instanceof Error ? null : whole;
  }

  private judge(request: SoakRequest, sent: Uint8Array, answer: Answer | Error): void {
    const hasCondition = sent !== request.bytes;
    if (!(answer instanceof Error) && isGood(request, answer, hasCondition)) return;
    this.failed++;
    if (this.failures.length === DESCRIBED) return;
    const [line] = Buffer.from(sent).toString('latin1').split(' HTTP', 1);
    const came =
      answer instanceof Error ? answer.message : `${answer.status} with ${answer.bytes} bytes`;
    this.failures.push(`${line}: ${came}`);
  }

  /** Pages under way may still come from the release before. */
  private note(release: string | undefined): void {
    if (release !== undefined && !this.releases.includes(release)) this.releases.push(release);
  }
}

/** Rejects with an Error when there is no answer for too long. */
async function withinPatience<Value>(answer: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fault = new Error(`no answer within ${PATIENCE / 1000} s`);
  const timer = setTimeout(() => reject(fault), PATIENCE);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Milliseconds; short pauses are more likely, as where callers know nothing of each other. */
function drawPause(random: Random): number {
  return Math.min(LONGEST_PAUSE, -Math.log(1 - random.fraction()) * PAUSE);
}
