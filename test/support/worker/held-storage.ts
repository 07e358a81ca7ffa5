/**
 * The real KV namespaces of the test, with every read in sight: a test sees what was begun before
 * what had ended, and decides when and how a read ends.
 */
import { env as bindings } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { LAST_RUN_KEY, objectKey, POINTER_KEY } from '../../../src/snapshot/keys.ts';
import type { Manifest } from '../../../src/snapshot/manifest.ts';
import { GENERATION } from '../stores/memory-snapshot.ts';

export interface HeldRead {
  /** What it reads: token, pointer, an index part by its name, or so many chunks. */
  readonly name: string;
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

type Get = (keys: string | string[], options: unknown) => Promise<unknown>;

export class HeldStorage {
  /** Every key that was asked for, in order; of tokens and chunks too. */
  readonly keys: string[] = [];
  /** Reads that wait, in the order in which they began. */
  readonly held: HeldRead[] = [];
  /** Whether reads wait from here on. */
  isHolding = true;
  /** Set to make every read fail that is not held. */
  failure: Error | null = null;
  /** Names of parts by key; those that have the same bytes go by the last one's name. */
  private readonly parts = new Map<string, string>();
  private readonly keysOfParts = new Map<string, string>();

  /** @param manifests of the releases whose parts are to be called by their names */
  constructor(...manifests: readonly Manifest[]) {
    for (const { parts } of manifests) {
      for (const [name, { hash }] of Object.entries(parts)) {
        this.parts.set(objectKey(GENERATION, hash), name);
        this.keysOfParts.set(name, objectKey(GENERATION, hash));
      }
    }
  }

  /** For `openStage`. */
  get env(): Partial<Env> {
    return { SNAPSHOTS: this.watch(bindings.SNAPSHOTS), TOKENS: this.watch(bindings.TOKENS) };
  }

  /** Waits until exactly these reads are held, in any order, and ends them with what storage has. */
  async step(...names: string[]): Promise<void> {
    await this.waitFor(...names);
    for (const { finish } of [...this.held]) finish();
  }

  /** Waits until a read is held, and there is no other. */
  async waitForOne(): Promise<readonly HeldRead[]> {
    while (this.held.length === 0) await scheduler.wait(1);
    expect(this.held).toHaveLength(1);
    return [...this.held];
  }

  /** Waits until exactly these reads are held, in any order. */
  async waitFor(...names: string[]): Promise<readonly HeldRead[]> {
    for (let look = 0; this.held.length < names.length && look < 10_000; look++) {
      await scheduler.wait(1);
    }
    const wanted = names.map((name) => this.parts.get(this.keysOfParts.get(name) ?? '') ?? name);
    expect(this.held.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
    return [...this.held];
  }

  /** Ends all reads that wait, and lets others through. */
  letGo(): void {
    this.isHolding = false;
    for (const { finish } of [...this.held]) finish();
  }

  private watch(namespace: KVNamespace): KVNamespace {
    const real = namespace.get.bind(namespace) as Get;
    const get: Get = async (keys, options) => {
      const asked = Array.isArray(keys) ? keys : [keys];
      this.keys.push(...asked);
      await this.wait(asked);
      if (this.failure) throw this.failure;
      return real(keys, options);
    };
    return { get } as unknown as KVNamespace;
  }

  private async wait(keys: readonly string[]): Promise<void> {
    if (!this.isHolding) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const read: HeldRead = {
      name: this.nameOf(keys),
      finish: () => {
        this.forget(read);
        resolve();
      },
      fail: (error) => {
        this.forget(read);
        reject(error);
      },
    };
    this.held.push(read);
    await promise;
  }

  /** Lets a read hang for ever. */
  forget(read: HeldRead): void {
    const index = this.held.indexOf(read);
    if (index >= 0) this.held.splice(index, 1);
  }

  private nameOf(keys: readonly string[]): string {
    const [key = ''] = keys;
    if (key.startsWith('token/')) return 'token';
    if (keys.length > 1) return `${keys.length} chunks`;
    if (key === POINTER_KEY) return 'pointer';
    if (key === LAST_RUN_KEY) return 'run';
    return this.parts.get(key) ?? '1 chunk';
  }
}

/** Runs timers that are due until `answer` comes; timers have to be fake. */
export async function settled<Value>(answer: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  answer.then(done, done);
  while (!isDone) {
    // A timer without delay that is set while others run is due a millisecond later.
    await pass(1);
    await scheduler.wait(1);
  }
  return answer;
}

/** Lets time pass for everything that waits for it; timers have to be fake. */
export async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

/**
 * Stops the clock: by a real one an isolate on a slow machine looks at the pointer once more, or reads
 * a second time what has not come for a second.
 */
export function standStill(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
}
