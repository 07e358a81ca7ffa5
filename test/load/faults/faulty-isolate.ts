/** Isolates that read through an edge which fails. Time passes as the test lets it. */

import { createExecutionContext } from 'cloudflare:test';
import { vi } from 'vitest';
import { generateToken } from '../../../scripts/token/new-token.ts';
import { POINTER_KEY } from '../../../src/snapshot/keys.ts';
import worker from '../../../src/worker.ts';
import { pass, quiet, run } from '../../support/watched-storage.ts';
import { BoundStorage } from '../../support/worker/bound-storage.ts';
import { ORIGIN, openStage } from '../../support/worker/harness.ts';
import { type Scene, troubleOf } from './fault-scene.ts';
import type { Answer, Fault, RequestName, Row, Seen, Target } from './fault-table.ts';

export type SnapshotStore = 'kv' | 'r2';

/** Milliseconds that every read takes, as at the edge: none comes at once. */
const LATENCY = 20;

export const SECOND = 1_000;

/** Seconds between two requests while a fault lasts, and when it is over. */
const INTERVAL = 5;
const HEALING_INTERVAL = 10;

/** Seconds in which everything heals. */
const MAX_HEALING = 200;

const PATHS: Readonly<Record<RequestName, string>> = {
  list: '/v2/external/stores?limit=1&sort=slug__desc&fields=slug',
  changes: '/v2/external/changes?since=',
  health: '/healthz',
  ranWithin: '/healthz?ran-within=1000000000',
  guess: '/v2/external/stores?limit=1',
};

/** What is answered when nothing fails. */
const wellOf = (request: RequestName): Answer => (request === 'guess' ? 'token_unknown' : 'live');

/** An isolate of production, and those who ask it. */
export class FaultyIsolate extends BoundStorage {
  private readonly scene: Scene;
  private readonly isolate: Env;

  /** @param bindings that take the place of failing ones */
  constructor(scene: Scene, store: SnapshotStore, bindings: Partial<Env> = {}) {
    super(scene.values);
    this.latency = LATENCY;
    this.scene = scene;
    const variables = { ENVIRONMENT: 'production', SNAPSHOT_STORE: store } as Partial<Env>;
    this.isolate = openStage({ ...this.env, ...variables, ...bindings }).env;
  }

  suffer(target: Target, fault: Fault): void {
    this.begin(troubleOf(this.scene, fault), this.scene.keys[target]);
  }

  /** What comes of a request, and how many seconds it takes. */
  async ask(
    request: RequestName,
    token = request === 'guess' ? generateToken('production') : this.scene.token,
  ): Promise<{ answer: string; waited: number; response: Response }> {
    const path = PATHS[request] + (request === 'changes' ? this.scene.names.before : '');
    const begun = Date.now();
    const asked = new Request(ORIGIN + path, { headers: { 'x-access-token': token } });
    const answer = worker.fetch(asked, this.isolate, createExecutionContext()) as Promise<Response>;
    const response = await run(answer);
    const waited = (Date.now() - begun) / SECOND;
    const text = await response.text();
    if (response.status !== 200) return { answer: JSON.parse(text).code, waited, response };
    const { names } = this.scene;
    const release = response.headers.get('x-snapshot-release') ?? '';
    const name = { [names.live]: 'live', [names.before]: 'before' }[release] ?? release;
    return { answer: name, waited, response };
  }

  /** Has it answer the request, and waits until it is due to look at what the fault will hit. */
  async warmUp({ target, request }: Row, fault: Fault): Promise<void> {
    const { scene, values } = this;
    const isLate = fault === 'olderRelease' || fault === 'backAndForth';
    const isOld =
      !isLate && ['pointer', 'part', 'documents', 'snapshots', 'cache'].includes(target);
    values.set(POINTER_KEY, isOld ? scene.pointers.first : scene.pointers.second);
    await this.ask(request);
    await pass(31 * SECOND);
    values.set(POINTER_KEY, scene.pointers.second);
  }

  /** What is seen while the fault lasts, and how long it takes to heal afterwards. */
  async watch({ target, request }: Row, fault: Fault): Promise<Seen & { readonly hits: number }> {
    const log = vi.spyOn(console, 'error').mockClear();
    this.suffer(target, fault);
    const answers: string[] = [];
    let waits = 0;
    for (let turn = 0; turn < 3; turn++) {
      if (turn > 0) await pass(INTERVAL * SECOND);
      const { answer, waited } = await this.ask(request);
      answers.push(answer);
      waits = Math.max(waits, Math.round(2 * waited) / 2);
    }
    const { hits } = this;
    const events = log.mock.calls.map(([line]) => JSON.parse(String(line)).event as string);
    // Each once, in the order of the alphabet.
    const logs = [...new Set(events)].toSorted();
    const isHealed = answers.at(-1) === wellOf(request);
    this.end();
    const heals = isHealed ? null : await this.heal(request);
    await this.close();
    while (answers.length > 1 && answers.at(-1) === answers.at(-2)) answers.pop();
    return { answers: answers as [Answer, ...Answer[]], waits, logs, heals, hits };
  }

  private async heal(request: RequestName): Promise<number> {
    for (let seconds = 0; seconds < MAX_HEALING; seconds += HEALING_INTERVAL) {
      if ((await this.ask(request)).answer === wellOf(request)) return seconds;
      await pass(HEALING_INTERVAL * SECOND);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Ends what still hangs behind answers. */
  async close(): Promise<void> {
    this.letGo();
    await quiet();
    vi.clearAllTimers();
  }
}
