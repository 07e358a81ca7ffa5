/** Isolates that read through an edge which fails. Time passes as the test lets it. */

import { createExecutionContext } from 'cloudflare:test';
import { vi } from 'vitest';
import { generateToken } from '../../../scripts/token/new-token.ts';
import { POINTER_KEY } from '../../../src/snapshot/keys.ts';
import worker from '../../../src/worker.ts';
import { ORIGIN, openStage } from '../../support/worker/harness.ts';
import { damageOf, type Scene } from './fault-scene.ts';
import type { Answer, Fault, RequestName, Row, Seen, Target } from './fault-table.ts';
import { FaultyStorage, pass, quiet, run } from './faulty-storage.ts';

export type SnapshotStore = 'kv' | 'r2';

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
export class FaultyIsolate {
  readonly storage: FaultyStorage;
  private readonly scene: Scene;
  private readonly env: Env;

  /** @param bindings that take the place of failing ones */
  constructor(scene: Scene, store: SnapshotStore, bindings: Partial<Env> = {}) {
    this.scene = scene;
    this.storage = new FaultyStorage(scene);
    const variables = { ENVIRONMENT: 'production', SNAPSHOT_STORE: store } as Partial<Env>;
    this.env = openStage({ ...this.storage.env, ...variables, ...bindings }).env;
  }

  begin(target: Target, fault: Fault): void {
    this.storage.begin(fault, this.scene.keys[target], damageOf(this.scene, fault));
  }

  /** What comes of a request, and how many seconds it takes. */
  async ask(
    request: RequestName,
    token = request === 'guess' ? generateToken('production') : this.scene.token,
  ): Promise<{ answer: string; waited: number; response: Response }> {
    const path = PATHS[request] + (request === 'changes' ? this.scene.names.before : '');
    const begun = Date.now();
    const asked = new Request(ORIGIN + path, { headers: { 'x-access-token': token } });
    const answer = worker.fetch(asked, this.env, createExecutionContext()) as Promise<Response>;
    const response = await run(answer);
    const waited = (Date.now() - begun) / 1_000;
    const text = await response.text();
    if (response.status !== 200) return { answer: JSON.parse(text).code, waited, response };
    const { names } = this.scene;
    const release = response.headers.get('x-snapshot-release') ?? '';
    const name = { [names.live]: 'live', [names.before]: 'before' }[release] ?? release;
    return { answer: name, waited, response };
  }

  async pass(seconds: number): Promise<void> {
    await pass(1_000 * seconds);
  }

  /** Has it answer the request, and waits until it is due to look at what the fault will hit. */
  async warmUp({ target, request }: Row, fault: Fault): Promise<void> {
    const { storage, scene } = this;
    const isLate = fault === 'olderRelease' || fault === 'backAndForth';
    const isOld =
      !isLate && ['pointer', 'part', 'documents', 'snapshots', 'cache'].includes(target);
    storage.replace(POINTER_KEY, isOld ? scene.pointers.first : scene.pointers.second);
    await this.ask(request);
    await this.pass(31);
    storage.replace(POINTER_KEY, scene.pointers.second);
  }

  /** What is seen while the fault lasts, and how long it takes to heal afterwards. */
  async watch({ target, request }: Row, fault: Fault): Promise<Seen & { readonly hits: number }> {
    const log = vi.spyOn(console, 'error').mockClear();
    this.begin(target, fault);
    const answers: string[] = [];
    let waits = 0;
    for (let turn = 0; turn < 3; turn++) {
      if (turn > 0) await this.pass(INTERVAL);
      const { answer, waited } = await this.ask(request);
      answers.push(answer);
      waits = Math.max(waits, Math.round(2 * waited) / 2);
    }
    const { hits } = this.storage;
    const events = log.mock.calls.map(([line]) => JSON.parse(String(line)).event as string);
    // Each once, in the order of the alphabet.
    const logs = [...new Set(events)].toSorted();
    const isHealed = answers.at(-1) === wellOf(request);
    this.storage.end();
    const heals = isHealed ? null : await this.heal(request);
    await this.close();
    while (answers.length > 1 && answers.at(-1) === answers.at(-2)) answers.pop();
    return { answers: answers as [Answer, ...Answer[]], waits, logs, heals, hits };
  }

  private async heal(request: RequestName): Promise<number> {
    for (let seconds = 0; seconds < MAX_HEALING; seconds += HEALING_INTERVAL) {
      if ((await this.ask(request)).answer === wellOf(request)) return seconds;
      await this.pass(HEALING_INTERVAL);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Ends what still hangs behind answers. */
  async close(): Promise<void> {
    this.storage.end();
    this.storage.letGo();
    await quiet();
    vi.clearAllTimers();
  }
}
