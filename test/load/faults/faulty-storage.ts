/**
 * Storage that fails as it is told: it holds reads up, ends them with an error, or changes what they
 * bring. It lies in memory, so that a test whose timers are fake knows when all wait for time.
 */
import { vi } from 'vitest';
import type { Fault } from './fault-table.ts';

/** What a read brings when it is not what lies there; null: nothing. */
export type Damage = (key: string, bytes: Uint8Array) => Uint8Array | null;

const SLOW: Partial<Record<Fault, number>> = { slow: 1_500, verySlow: 3_000 };

/** Milliseconds that every read takes, as at the edge: none comes at once. */
const LATENCY = 20;

/**
 * What was read has been dealt with after far fewer promises one after the other. Waiting for a turn
 * of the event loop instead takes a millisecond, some ten thousand times in a run of the tests.
 */
const MAX_CHAIN = 500;

interface Trouble {
  readonly fault: Fault;
  readonly hits: (key: string) => boolean;
  readonly damage: Damage | null;
}

/** Values as they lie in KV and in R2, by key. */
export interface StoredValues {
  readonly kv: ReadonlyMap<string, Uint8Array>;
  readonly r2: ReadonlyMap<string, Uint8Array>;
}

type KvGet = (keys: string | string[], options: { type: string }) => Promise<unknown>;

export class FaultyStorage {
  /** Reads that the fault has hit since it began. */
  hits = 0;
  private trouble: Trouble | null = null;
  /** Values that take the place of what lies there, by key. */
  private readonly replaced = new Map<string, Uint8Array>();
  private readonly hanging: (() => void)[] = [];
  private readonly stored: StoredValues;

  constructor(stored: StoredValues) {
    this.stored = stored;
  }

  /** For `openStage`. */
  get env(): Partial<Env> {
    return {
      SNAPSHOTS: this.kv(),
      TOKENS: this.kv(),
      SNAPSHOT_BUCKET: this.bucket(),
      RATE_LIMITER: this.limiter('limiter'),
      GUESS_LIMITER: this.limiter('guesses'),
    };
  }

  /** Refuses no request. @param name stands for a key, as the name of the cache does: they have none */
  private limiter(name: string): RateLimit {
    return {
      limit: async () => {
        await this.strike([name]);
        return { success: true };
      },
    };
  }

  /** @param hits tells by the key of a value whether a read of it goes wrong */
  begin(fault: Fault, hits: (key: string) => boolean, damage: Damage | null = null): void {
    this.trouble = { fault, hits, damage };
    this.hits = 0;
  }

  /** Storage is well from here on; what hangs goes on hanging. */
  end(): void {
    this.trouble = null;
  }

  /** Has reads of `key` find this from here on. */
  replace(key: string, bytes: Uint8Array): void {
    this.replaced.set(key, bytes);
  }

  /** Ends what hangs. */
  letGo(): void {
    for (const end of this.hanging.splice(0)) end();
  }

  /** A look into the cache in front of R2, in which nothing is kept. */
  async match(url: string): Promise<Response | undefined> {
    const { trouble } = this;
    if (!trouble?.hits('cache')) return undefined;
    await this.strike(['cache']);
    const key = url.slice(url.indexOf('snapshot/'));
    const bytes = this.stored.r2.get(key);
    const damaged = bytes && trouble.damage?.(key, bytes);
    if (!damaged) return undefined;
    // A real body takes turns of the event loop.
    return { arrayBuffer: async () => damaged.slice().buffer } as unknown as Response;
  }

  private kv(): KVNamespace {
    const get: KvGet = async (keys, { type }) => {
      const isHit = await this.strike([keys].flat());
      const read = (key: string) => {
        const value = this.value(key, this.stored.kv.get(key), isHit);
        return value && type === 'text' ? new TextDecoder().decode(value) : value;
      };
      return Array.isArray(keys) ? new Map(keys.map((key) => [key, read(key)])) : read(keys);
    };
    return { get } as unknown as KVNamespace;
  }

  private bucket(): R2Bucket {
    const get = async (key: string) => {
      const isHit = await this.strike([key]);
      const value = this.value(key, this.stored.r2.get(key), isHit);
      return value && { arrayBuffer: async () => value };
    };
    return { get } as unknown as R2Bucket;
  }

  /** Lets the fault hit a read of `keys`; whether its values are to be damaged. */
  private async strike(keys: readonly string[]): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, LATENCY));
    const { trouble } = this;
    if (!trouble || !keys.some(trouble.hits)) return false;
    const { fault } = trouble;
    if (fault.endsWith('Once') && this.hits > 0) return false;
    this.hits++;
    const delay = SLOW[fault];
    if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
    if (fault.startsWith('fails')) throw new Error('storage is down');
    if (fault.startsWith('hangs')) {
      await new Promise((_, reject) => this.hanging.push(() => reject(new Error('let go'))));
    }
    return trouble.damage !== null;
  }

  /** A copy of what is read of `key`; null: nothing. */
  private value(key: string, found: Uint8Array | undefined, isHit: boolean): ArrayBuffer | null {
    const bytes = this.replaced.get(key) ?? found;
    const { damage, hits } = this.trouble ?? {};
    const read = bytes && isHit && damage && hits?.(key) ? damage(key, bytes) : bytes;
    return read ? (read.slice().buffer as ArrayBuffer) : null;
  }
}

/** Resolves when what was read has been dealt with, and all waits for time. */
export async function quiet(): Promise<void> {
  for (let rest = MAX_CHAIN; rest > 0; rest--) await null;
}

/** What `work` comes to, as soon as it does; timers have to be fake. */
export async function run<Value>(work: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  for (;;) {
    await quiet();
    if (isDone) return work;
    vi.advanceTimersToNextTimer();
  }
}

/** Milliseconds that pass at once while something waits for its time. */
const STRIDE = 50;

/** Lets so many milliseconds pass, and what is due in them happen; timers have to be fake. */
export async function pass(milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  await quiet();
  while (Date.now() < end) {
    const rest = end - Date.now();
    vi.advanceTimersByTime(vi.getTimerCount() === 0 ? rest : Math.min(STRIDE, rest));
    await quiet();
  }
}
