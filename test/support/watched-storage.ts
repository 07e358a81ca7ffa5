/**
 * Storage in memory, all in sight: reads are noted, take their time, and go wrong as a test tells. In
 * memory a test whose timers are fake knows when all wait for time.
 */
import { vi } from 'vitest';
import type { SnapshotSource } from '../../src/storage/reading.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';

/** What goes wrong with a read. */
export interface Trouble {
  /** Milliseconds that it takes longer. */
  readonly delay?: number;
  readonly fails?: boolean;
  readonly hangs?: boolean;
  /** What it brings in the place of what lies there; null: nothing. */
  readonly damage?: (bytes: Uint8Array) => Uint8Array | null;
  /** Whether it befalls the first read alone. */
  readonly isOnce?: boolean;
}

/** A read that waits until a test ends it. */
interface HeldRead {
  readonly keys: readonly string[];
  /** Ends it with what storage has by then. */
  finish(): void;
  fail(error: Error): void;
}

export class WatchedStorage {
  /** As they were compiled, by key. */
  readonly values: Map<string, Uint8Array>;
  /** Keys that were asked for, in order, and when. */
  readonly reads: { readonly key: string; readonly at: number }[] = [];
  /** Reads that hang, in the order in which they began. */
  readonly held: HeldRead[] = [];
  /** Reads that the trouble has hit since it began. */
  hits = 0;
  /** Milliseconds that every read takes. */
  latency = 0;
  protected trouble: Trouble | null = null;
  protected isHit: (key: string) => boolean = () => false;

  constructor(values: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.values = new Map(values);
  }

  /** What isolates read snapshots through. */
  get source(): SnapshotSource {
    return {
      maxKeys: 100,
      readDocument: async (key) => (await this.read([key]))[0] ?? null,
      readObjects: (objects) => this.read(objects.map(({ key }) => key)),
    };
  }

  /** Forgets all that was stored and asked for. */
  reset(): void {
    this.values.clear();
    this.reads.length = 0;
  }

  /** @param isHit tells by the key of a value, or by what has none, whether a read of it goes wrong */
  begin(trouble: Trouble, isHit: (key: string) => boolean = () => true): void {
    Object.assign(this, { trouble, isHit, hits: 0 });
  }

  /** Storage is well from here on; what hangs goes on hanging. */
  end(): void {
    this.trouble = null;
  }

  /** Ends all reads that hang, and lets others through. */
  letGo(): void {
    this.end();
    for (const { finish } of [...this.held]) finish();
  }

  /** Waits until so many reads hang. No clock is looked at: tests have clocks of their own. */
  async waitForReads(count: number): Promise<readonly HeldRead[]> {
    while (this.held.length < count) await new Promise(setImmediate);
    return this.held;
  }

  /** Fails so many reads that hang, one after the other. */
  async failReads(count: number): Promise<void> {
    for (let rest = count; rest > 0; rest--) {
      (await this.waitForReads(1))[0]?.fail(new Error('KV is down'));
    }
  }

  /** Stores a document, sealed as all are; a text as it is. */
  write(key: string, document: object | string): void {
    const text = typeof document === 'string' ? document : sealJson(document);
    this.values.set(key, new TextEncoder().encode(text));
  }

  /**
   * Reads values.
   * @param formOf the form in which a value is stored where it is read from
   */
  protected async read(
    keys: readonly string[],
    formOf: (key: string, bytes: Uint8Array) => Uint8Array = (_, bytes) => bytes,
  ): Promise<(ArrayBuffer | null)[]> {
    const at = Date.now();
    this.reads.push(...keys.map((key) => ({ key, at })));
    if (this.latency > 0) await sleep(this.latency);
    const { isHit } = this;
    const damage = await this.strike(keys);
    return keys.map((key) => {
      const bytes = this.values.get(key);
      const stored = bytes && formOf(key, bytes);
      const read = stored && damage && isHit(key) ? damage(stored) : stored;
      return read ? (read.slice().buffer as ArrayBuffer) : null;
    });
  }

  /** Lets the trouble hit a read of `keys`. @returns what it makes of the values that it hits */
  protected async strike(keys: readonly string[]): Promise<Trouble['damage']> {
    const { trouble } = this;
    if (!trouble || !keys.some(this.isHit) || (trouble.isOnce && this.hits > 0)) return undefined;
    this.hits++;
    if (trouble.delay !== undefined) await sleep(trouble.delay);
    if (trouble.fails) throw new Error('storage is down');
    if (trouble.hangs) await this.hang(keys);
    return trouble.damage;
  }

  private hang(keys: readonly string[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (settle: () => void) => {
      this.held.splice(this.held.indexOf(read), 1);
      settle();
    };
    const read: HeldRead = {
      keys,
      finish: () => end(resolve),
      fail: (error) => end(() => reject(error)),
    };
    this.held.push(read);
    return promise;
  }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * What was read has been dealt with after far fewer promises one after the other. Waiting for a turn
 * of the event loop instead takes a millisecond, some ten thousand times in a run of the tests.
 */
const MAX_CHAIN = 500;

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
