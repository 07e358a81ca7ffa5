/**
 * The Worker at several places: each is an isolate that sees what is live late or soon, as
 * the test says, while all read the same objects. Requests go through the front door.
 */

import { type SourceStore, sourceStoreSchema } from '../../../scripts/compile/source-store.ts';
import { generateToken } from '../../../scripts/token/new-token.ts';
import { OBJECT_PREFIX, POINTER_KEY, releaseKey, releaseName } from '../../../src/snapshot/keys.ts';
import type { Pointer, PublishedManifest } from '../../../src/snapshot/manifest.ts';
import { sealJson } from '../../../src/storage/sealed-json.ts';
import { compileObjects, GENERATION, nextPointer } from '../stores/memory-snapshot.ts';
import { openStage, type Stage, tokenEntry } from './harness.ts';

const encoder = new TextEncoder();

/** A release that went live. */
export interface Turn {
  readonly name: string;
  readonly pointer: Pointer;
}

/** What all places read: objects, and names of releases. Decides what is live, in the order of turns. */
export class World {
  readonly token = generateToken('development');
  /** Values as KV has them, by key; the pointer is each place's own. */
  readonly values = new Map<string, string>();
  private last: Pointer | null = null;

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

  /** Puts a release live: places see it when they are told to. */
  turnTo(manifest: PublishedManifest): Turn {
    const minutes = this.last?.number ?? 0;
    const publishedAt = new Date(1_760_000_000_000 + minutes * 60_000).toISOString();
    const pointer = nextPointer(manifest, publishedAt, this.last);
    this.last = pointer;
    const name = releaseName(pointer.number, manifest.release);
    this.values.set(releaseKey(name), sealJson({ manifest, publishedAt }));
    return { name, pointer };
  }
}

/** An isolate. */
export class Place {
  /** Keys that were read of late. */
  readonly reads: string[] = [];
  private readonly world: World;
  private readonly stage: Stage;
  private pointer: Pointer | null = null;

  constructor(world: World) {
    this.world = world;
    const kv = { get: this.get.bind(this) } as unknown as KVNamespace;
    const limiter: RateLimit = { limit: async () => ({ success: true }) };
    const limiters = { RATE_LIMITER: limiter, GUESS_LIMITER: limiter };
    this.stage = openStage({ SNAPSHOTS: kv, TOKENS: kv, ...limiters });
  }

  /** From now on storage shows this turn here; the isolate follows when it looks again. */
  see({ pointer }: Turn): void {
    this.pointer = pointer;
  }

  request(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.stage.request(path, { token: this.world.token, headers });
  }

  private async get(keys: string | string[], options: { type: string }): Promise<unknown> {
    this.reads.push(...(Array.isArray(keys) ? keys : [keys]));
    if (Array.isArray(keys)) return new Map(keys.map((key) => [key, this.value(key)]));
    const value = this.value(keys);
    if (value === null || options.type === 'text') return value;
    return encoder.encode(value).buffer;
  }

  private value(key: string): string | null {
    if (key === POINTER_KEY) return this.pointer && sealJson(this.pointer);
    return this.world.values.get(key) ?? null;
  }
}

/** Keys of objects among `keys`. */
export const objectsOf = (keys: readonly string[]): string[] =>
  keys.filter((key) => key.startsWith(OBJECT_PREFIX));
