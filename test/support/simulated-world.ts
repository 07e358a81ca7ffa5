/**
 * Two machines before one storage, in simulated time: KV that shows what was written or deleted up to
 * 90 seconds late, in reads and lists alike, and R2 that shows it at once. Every request takes its
 * time, in an order that a random seed decides; machines have clocks of their own.
 */

import { Random } from '../../fixtures/generator/random.ts';
import type { Clock } from '../../scripts/cli/pace.ts';
import type {
  KeyValueStore,
  Ledger,
  Site,
  SnapshotTarget,
} from '../../scripts/storage/key-value-store.ts';
import { commandContext } from './command-context.ts';
import type { MemoryTarget } from './memory-target.ts';

export const HOUR = 3600_000;
export const DAY = 24 * HOUR;

/** KV is no later than this, milliseconds. */
export const LAG = 90_000;

/** What a key held from some instant on; null: nothing. */
interface Version {
  readonly at: number;
  readonly bytes: Uint8Array | null;
}

interface Waiting {
  readonly at: number;
  readonly owner: unknown;
  readonly wake: () => void;
}

export class World {
  readonly random: Random;
  readonly kv = new Map<string, Version[]>();
  /** Called with a key at the instant it is deleted from KV. */
  onDelete: (key: string) => void = () => {};
  /** R2 is its ledger. */
  readonly bucket: MemoryTarget;
  private waiting: Waiting[] = [];
  private running = 0;

  /** @param seed decides what happens to a copy of the target, a day after it was made */
  constructor(seed: number, target: MemoryTarget) {
    this.random = new Random(seed, 0);
    this.bucket = target.fork();
    for (const [key, bytes] of target.values) this.kv.set(key, [{ at: this.time, bytes }]);
    this.time += DAY;
  }

  /** By the clock of the storage, milliseconds since 1970. */
  get time(): number {
    return this.bucket.time;
  }

  set time(time: number) {
    this.bucket.time = time;
  }

  between(least: number, most: number): number {
    return least + this.random.fraction() * (most - least);
  }

  /** What KV holds in truth. */
  truth(key: string): Uint8Array | null {
    return this.kv.get(key)?.at(-1)?.bytes ?? null;
  }

  /** What KV shows of a key to a reader with so much lag. */
  shown(key: string, lag: number): Uint8Array | null {
    const versions = this.kv.get(key) ?? [];
    return versions.findLast(({ at }) => at <= this.time - lag)?.bytes ?? null;
  }

  set(key: string, bytes: Uint8Array | null): void {
    const versions = this.kv.get(key) ?? [];
    this.kv.set(key, [...versions, { at: this.time, bytes }]);
  }

  /** Ends when so much time has passed. */
  pass(milliseconds: number, owner: unknown): Promise<void> {
    const at = Math.round(this.time + milliseconds);
    return new Promise((wake) => this.waiting.push({ at, owner, wake }));
  }

  /** Never settles: the caller has died. */
  kill(): Promise<never> {
    this.running--;
    return new Promise(() => {});
  }

  /** Runs what machines do, one each, until all have ended or were killed. */
  async run(...work: readonly (() => Promise<void>)[]): Promise<void> {
    this.running += work.length;
    const errors: unknown[] = [];
    for (const each of work) {
      each()
        .catch((error) => errors.push(error))
        .finally(() => {
          this.running--;
        });
    }
    for (;;) {
      await this.settle();
      if (errors.length > 0) throw errors[0];
      if (this.running === 0) return;
      this.waiting.sort((a, b) => a.at - b.at);
      const next = this.waiting.shift();
      if (!next) continue;
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
  }

  /** Lets everything go on until each machine waits for time to pass: hashes take a real while. */
  private async settle(): Promise<void> {
    do await new Promise(setImmediate);
    while (new Set(this.waiting.map(({ owner }) => owner)).size < this.running);
  }
}

export class Machine implements SnapshotTarget {
  readonly site: Site;
  readonly readersWait = 180_000;
  readonly context = commandContext();
  readonly world: World;
  readonly objects: KeyValueStore;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** How far the clock of this machine is ahead of the storage's. */
  offset: number;
  /** Called before each request: a test may have the machine sleep, or be killed, there. */
  before: (what: string) => Promise<void> = async () => {};

  constructor(world: World, offset = 0) {
    this.world = world;
    this.site = world.bucket.site;
    this.offset = offset;
    this.objects = lateStore(this);
    this.ledger = promptLedger(this);
    this.clock = {
      now: () => this.now(),
      sleep: (milliseconds) => world.pass(milliseconds, this),
    };
  }

  readonly now = (): number => this.world.time + this.offset;

  /** The way of a request: what `act` does happens somewhere on it. */
  async request<T>(what: string, act: () => T | Promise<T>): Promise<T> {
    await this.before(what);
    const { world } = this;
    await world.pass(world.between(1, world.random.chance(0.05) ? 20_000 : 300), this);
    await world.pass(world.between(1, 2_000), this);
    const result = await act();
    await world.pass(world.between(1, 300), this);
    return result;
  }
}

/** KV as a machine sees it. */
function lateStore(machine: Machine): KeyValueStore {
  const { world } = machine;
  const anyLag = () => world.between(0, LAG);
  return {
    lateness: 120_000,
    async *list(prefix) {
      yield* await machine.request('list', () => {
        const lag = anyLag();
        return [...world.kv.keys()].flatMap((key) => {
          const bytes = key.startsWith(prefix) ? world.shown(key, lag) : null;
          return bytes ? [{ key, bytes: bytes.length }] : [];
        });
      });
    },
    get: (key) => machine.request('get', () => world.shown(key, anyLag())),
    put: (key, bytes) => machine.request('put', () => world.set(key, bytes.slice())),
    delete: (key) =>
      machine.request('delete', () => {
        if (world.truth(key)) world.onDelete(key);
        world.set(key, null);
      }),
  };
}

/** R2 as a machine sees it. */
function promptLedger(machine: Machine): Ledger {
  const { world } = machine;
  const { ledger } = world.bucket;
  return {
    lateness: 0,
    async *list(prefix) {
      const list = () => Array.fromAsync(ledger.list(prefix));
      yield* await machine.request('list', list);
    },
    get: (key) => machine.request('get', () => ledger.get(key)),
    put: (key, bytes) => machine.request('put', () => ledger.put(key, bytes)),
    async create(key, bytes) {
      const act = () => ledger.create(key, bytes);
      const isCreated = await machine.request('create', act);
      if (!world.random.chance(0.05)) return isCreated;
      // The answer is lost, and the request is repeated.
      return machine.request('create', act);
    },
    delete: (key) => machine.request('delete', () => ledger.delete(key)),
    now: () => machine.request('now', () => ledger.now()),
  };
}
