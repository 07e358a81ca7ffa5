/**
 * An edge in front of the real bindings that fails as it is told: it holds reads up, ends them with
 * an error, or changes what they bring. It keeps what it has read, as the edge does.
 *
 * It counts the real reads under way, so that a test whose timers are fake lets time pass only while
 * nothing real is being waited for.
 */
import { env as bindings } from 'cloudflare:workers';
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
const LONGEST_CHAIN = 500;

interface Trouble {
  readonly fault: Fault;
  readonly hits: (key: string) => boolean;
  readonly damage: Damage | null;
}

/** Stand for what has no keys. */
export const LIMITER = 'limiter';
export const GUESSES = 'guesses';
export const CACHE = 'cache';

type Text = string | null;
type KvGet = (
  keys: string | string[],
  options: { type: string },
) => Promise<ReadonlyMap<string, Text> | Text | ArrayBuffer>;

export class FaultyStorage {
  /** Reads that the fault has hit since it began. */
  hits = 0;
  private trouble: Trouble | null = null;
  /** Values that take the place of what lies there, by key. */
  private readonly replaced = new Map<string, Uint8Array>();
  private readonly hanging: (() => void)[] = [];
  private readonly kept: Map<string, Promise<unknown>>;
  private underWay = 0;

  /** @param kept what was read of the bindings, shared by the edges of one scene */
  constructor(kept: Map<string, Promise<unknown>>) {
    this.kept = kept;
  }

  /** For `openStage`. */
  get env(): Partial<Env> {
    return {
      SNAPSHOTS: this.kv(bindings.SNAPSHOTS),
      TOKENS: this.kv(bindings.TOKENS),
      SNAPSHOT_BUCKET: this.bucket(bindings.SNAPSHOT_BUCKET),
      RATE_LIMITER: this.limiter(LIMITER),
      GUESS_LIMITER: this.limiter(GUESSES),
    };
  }

  /** Refuses no request. */
  private limiter(name: string): RateLimit {
    const limit = async () => {
      await this.strike([name]);
      return { success: true };
    };
    return { limit };
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

  /** Resolves when no real read is under way, and what they brought has been dealt with. */
  async quiet(): Promise<void> {
    for (let rest = LONGEST_CHAIN; rest > 0; rest--) {
      if (this.underWay > 0) {
        await scheduler.wait(0);
        rest = LONGEST_CHAIN;
      }
      await null;
    }
  }

  /** A look into the cache in front of R2, in which nothing is kept. */
  async match(url: string): Promise<Response | undefined> {
    if (!this.trouble?.hits(CACHE)) return undefined;
    await this.strike([CACHE]);
    const key = url.slice(url.indexOf('snapshot/'));
    const { damage } = this.trouble ?? {};
    if (!damage) return undefined;
    const object = await this.watch(() => bindings.SNAPSHOT_BUCKET.get(key));
    if (!object) return undefined;
    const bytes = new Uint8Array(await this.watch(() => object.arrayBuffer()));
    const headers = { 'x-value-bytes': String(bytes.length) };
    return new Response(damage(key, bytes) as Uint8Array<ArrayBuffer>, { headers });
  }

  private kv(namespace: KVNamespace): KVNamespace {
    const real = namespace.get.bind(namespace) as KvGet;
    const get: KvGet = async (keys, options) => {
      const asked = Array.isArray(keys) ? keys : [keys];
      const isHit = await this.strike(asked);
      const read = async (key: string) => {
        const value = await this.keep(`${options.type} ${key}`, () => real(key, options));
        return typeof value === 'string'
          ? this.text(key, value, isHit)
          : this.value(key, value as ArrayBuffer | null, isHit);
      };
      if (!Array.isArray(keys)) return read(keys);
      return new Map(
        await Promise.all(asked.map(async (key) => [key, (await read(key)) as Text] as const)),
      );
    };
    return { get } as unknown as KVNamespace;
  }

  private bucket(bucket: R2Bucket): R2Bucket {
    const get = async (key: string) => {
      const isHit = await this.strike([key]);
      const bytes = await this.keep(`r2 ${key}`, () =>
        bucket.get(key).then((object) => object?.arrayBuffer() ?? null),
      );
      const value = this.value(key, bytes, isHit);
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

  private text(key: string, text: Text, isHit: boolean): Text {
    const bytes = text === null ? null : new TextEncoder().encode(text).buffer;
    const value = this.value(key, bytes as ArrayBuffer | null, isHit);
    return value && new TextDecoder().decode(value);
  }

  private value(key: string, found: ArrayBuffer | null, isHit: boolean): ArrayBuffer | null {
    const bytes = this.replaced.get(key) ?? (found && new Uint8Array(found));
    const { trouble } = this;
    if (!bytes || !isHit || !trouble?.hits(key)) return bytes && copy(bytes);
    const damaged = trouble.damage ? trouble.damage(key, bytes) : bytes;
    return damaged && copy(damaged);
  }

  /** What `read` brings, the first time; the same from then on. */
  private keep<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
    const kept = this.kept.get(name) ?? this.watch(read);
    this.kept.set(name, kept);
    return kept as Promise<Value>;
  }

  private async watch<Value>(work: () => Promise<Value>): Promise<Value> {
    this.underWay++;
    try {
      return await work();
    } finally {
      this.underWay--;
    }
  }
}

const copy = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

/** What `work` comes to, as soon as it does; timers have to be fake. */
export async function run<Value>(work: Promise<Value>, storage: FaultyStorage): Promise<Value> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  for (;;) {
    await storage.quiet();
    if (isDone) return work;
    vi.advanceTimersToNextTimer();
  }
}

/** Milliseconds that pass at once while something waits for its time. */
const STRIDE = 50;

/** Lets so many milliseconds pass, and what is due in them happen; timers have to be fake. */
export async function pass(milliseconds: number, storage: FaultyStorage): Promise<void> {
  const end = Date.now() + milliseconds;
  await storage.quiet();
  while (Date.now() < end) {
    const rest = end - Date.now();
    vi.advanceTimersByTime(vi.getTimerCount() === 0 ? rest : Math.min(STRIDE, rest));
    await storage.quiet();
  }
}
