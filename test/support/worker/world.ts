/** The Worker over a storage that is all in sight. Requests go through the front door. */

import { type SourceStore, sourceStoreSchema } from '../../../scripts/compile/source-store.ts';
import { generateToken } from '../../../scripts/token/new-token.ts';
import { POINTER_KEY, releaseKey, releaseName } from '../../../src/snapshot/keys.ts';
import type { Pointer, PublishedManifest } from '../../../src/snapshot/manifest.ts';
import { sealJson } from '../../../src/storage/sealed-json.ts';
import { compileObjects, GENERATION, nextPointer } from '../stores/memory-snapshot.ts';
import { limiter, openStage, type Stage, tokenEntry } from './harness.ts';

const encoder = new TextEncoder();

/** A release that went live. */
export interface Turn {
  readonly name: string;
  readonly pointer: Pointer;
}

export class World {
  /** Values as KV has them, by key. */
  readonly values = new Map<string, string>();
  /** Keys that were read of late. */
  readonly reads: string[] = [];
  private readonly token = generateToken('development');
  private isolate: Stage = this.openIsolate();
  private live: Pointer | null = null;

  static async create(): Promise<World> {
    const world = new World();
    world.values.set(...(await tokenEntry(world.token)));
    return world;
  }

  /** Compiles stores and uploads what is made of them. Nothing is live by that. */
  async compile(
    stores: readonly SourceStore[],
    generation = GENERATION,
  ): Promise<PublishedManifest> {
    const parsed = stores.map((store) => sourceStoreSchema.parse(store));
    const { manifest, values } = await compileObjects(parsed, generation);
    for (const [key, bytes] of values) this.values.set(key, bytes.toBase64());
    return manifest;
  }

  /** Puts a release live: the isolate follows when it looks again. */
  turnTo(manifest: PublishedManifest): Turn {
    const minutes = this.live?.number ?? 0;
    const publishedAt = new Date(1_760_000_000_000 + minutes * 60_000).toISOString();
    const pointer = nextPointer(manifest, publishedAt, this.live);
    this.live = pointer;
    const name = releaseName(pointer.number, manifest.release);
    this.values.set(releaseKey(name), sealJson({ manifest, publishedAt }));
    this.values.set(POINTER_KEY, sealJson(pointer));
    return { name, pointer };
  }

  /** From now on a fresh isolate answers. */
  renew(): void {
    this.isolate = this.openIsolate();
  }

  request(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.isolate.request(path, { token: this.token, headers });
  }

  private openIsolate(): Stage {
    const kv = { get: this.get.bind(this) } as unknown as KVNamespace;
    const limiters = { RATE_LIMITER: limiter(true), GUESS_LIMITER: limiter(true) };
    return openStage({ SNAPSHOTS: kv, TOKENS: kv, ...limiters });
  }

  private async get(keys: string | string[], options: { type: string }): Promise<unknown> {
    const asked = [keys].flat();
    this.reads.push(...asked);
    const values = new Map(asked.map((key) => [key, this.values.get(key) ?? null]));
    if (Array.isArray(keys)) return values;
    const value = values.get(keys) ?? null;
    return value === null || options.type === 'text' ? value : encoder.encode(value).buffer;
  }
}
