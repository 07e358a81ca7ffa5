/**
 * The real KV namespaces of the test, with every read in sight: a test sees what was begun before
 * what had ended, and decides when and how a read ends.
 */
import { env as bindings } from 'cloudflare:workers';
import { expect } from 'vitest';
import { LAST_RUN_KEY, objectKey, POINTER_KEY } from '../../../src/snapshot/keys.ts';
import type { Manifest } from '../../../src/snapshot/manifest.ts';
import { type Ends, hold } from '../held-source.ts';
import { GENERATION } from '../stores/memory-snapshot.ts';

interface HeldRead extends Ends {
  /** What it reads: token, pointer, an index part by its name, or so many chunks. */
  readonly name: string;
}

type Get = (keys: string | string[], options: unknown) => Promise<unknown>;

export class HeldStorage {
  /** Every key that was asked for, in order; of tokens and chunks too. */
  readonly keys: string[] = [];
  /** Reads that wait, in the order in which they began. */
  readonly held: HeldRead[] = [];
  /** Whether reads wait from here on. */
  isHolding = true;
  private readonly manifest: Manifest;

  /** @param manifest of the release whose parts are called by their names */
  constructor(manifest: Manifest) {
    this.manifest = manifest;
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

  /** Waits until exactly these reads are held, in any order. */
  async waitFor(...names: string[]): Promise<readonly HeldRead[]> {
    for (let look = 0; this.held.length < names.length && look < 10_000; look++) {
      await scheduler.wait(1);
    }
    const wanted = names.map((name) => {
      const ref = this.manifest.parts[name];
      return ref ? this.nameOf([objectKey(GENERATION, ref.hash)]) : name;
    });
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
      return real(keys, options);
    };
    return { get } as unknown as KVNamespace;
  }

  private async wait(keys: readonly string[]): Promise<void> {
    if (this.isHolding) await hold(this.held, { name: this.nameOf(keys) });
  }

  private nameOf(keys: readonly string[]): string {
    const [key = ''] = keys;
    if (key.startsWith('token/')) return 'token';
    if (keys.length > 1) return `${keys.length} chunks`;
    if (key === POINTER_KEY) return 'pointer';
    if (key === LAST_RUN_KEY) return 'run';
    // Of parts that have the same bytes the first one.
    const parts = Object.entries(this.manifest.parts);
    const part = parts.find(([, { hash }]) => objectKey(GENERATION, hash) === key);
    return part?.[0] ?? '1 chunk';
  }
}
