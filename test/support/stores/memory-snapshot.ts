/** A published snapshot in a map, for tests that control what storage answers. */

import { compileRelease, type RecordSpool } from '../../../scripts/compile/compile-release.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { TokenRequest } from '../../../src/auth/authenticator.ts';
import { sha256 } from '../../../src/snapshot/hash.ts';
import {
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseKey,
  releaseName,
} from '../../../src/snapshot/keys.ts';
import type { Pointer, PublishedManifest } from '../../../src/snapshot/manifest.ts';
import {
  isReadAlone,
  MAX_WAIT,
  type ReadContext,
  StorageCost,
} from '../../../src/storage/reading.ts';
import { sealJson, unsealJson } from '../../../src/storage/sealed-json.ts';

/** The generation in which everything lies that tests publish. */
export const GENERATION = '20260101T000000Z-testin';

/** When releases are published unless a test says otherwise. */
export const PUBLISHED_AT = '2026-02-03T04:05:06.000Z';

/** A log as its pointers name it. */
export const TEST_LOG = {
  id: '00000000-0000-4000-8000-000000000000',
  environment: 'development',
  place: 'kv of a test',
  replaces: [],
} satisfies Pointer['log'];

/** What lists of stores were compiled to: most tests publish the same list again and again. */
const compiledLists = new WeakMap<Iterable<SourceStore>, ReturnType<typeof compile>>();

/** A release that went live. */
export interface Turn {
  readonly name: string;
  readonly pointer: Pointer;
}

/**
 * Compiles `stores` and uploads what is made of them to `values`. Nothing is live by that.
 * @param stores an array is compiled once: it must not be changed after that
 * @returns the manifest, which is the caller's own
 */
export async function upload(
  values: Map<string, Uint8Array>,
  stores: Iterable<SourceStore>,
  generation = GENERATION,
): Promise<PublishedManifest> {
  const { manifest, objects } = await compileOnce(stores);
  for (const [hash, bytes] of objects) values.set(objectKey(generation, hash), bytes.slice());
  return { ...structuredClone(manifest), generation };
}

/** Puts a release of `values` live. */
export function turnTo(
  values: Map<string, Uint8Array>,
  manifest: PublishedManifest,
  publishedAt = PUBLISHED_AT,
): Turn {
  const last = decodePointer(values.get(POINTER_KEY));
  const pointer = {
    format: manifest.format,
    log: TEST_LOG,
    number: (last?.number ?? 0) + 1,
    manifest,
    publishedAt,
    before: last && {
      manifest: last.manifest,
      publishedAt: last.publishedAt,
      number: last.number,
    },
  };
  const name = releaseName(pointer.number, manifest.release);
  values.set(releaseKey(name), encodeDocument({ manifest, publishedAt }));
  values.set(POINTER_KEY, encodeDocument(pointer));
  return { name, pointer };
}

/** Publishes `stores` to `values`, as the publisher does: objects, manifest, then the pointer. */
export async function publish(
  values: Map<string, Uint8Array>,
  stores: Iterable<SourceStore>,
  publishedAt = PUBLISHED_AT,
): Promise<Turn> {
  return turnTo(values, await upload(values, stores), publishedAt);
}

/** A value of a snapshot in the form that it has in KV. */
export function valueInKv(key: string, bytes: Uint8Array): Uint8Array | string {
  return key.startsWith(OBJECT_PREFIX) && !isReadAlone(bytes.length) ? bytes.toBase64() : bytes;
}

function compileOnce(stores: Iterable<SourceStore>): ReturnType<typeof compile> {
  const compiled = compiledLists.get(stores) ?? compile(stores);
  // Whatever else can be iterated may give other stores the next time.
  if (Array.isArray(stores)) compiledLists.set(stores, compiled);
  return compiled;
}

async function compile(stores: Iterable<SourceStore>) {
  const output = memoryOutput();
  const manifest = await compileRelease(stores, { ...output, hash: sha256 });
  return { manifest, objects: output.objects };
}

/** What a compilation needs, in memory: records by number, and the objects that it makes by hash. */
export function memoryOutput() {
  const records: Uint8Array[] = [];
  const objects = new Map<string, Uint8Array>();
  const spool: RecordSpool = {
    append: (record) => records.push(record) - 1,
    read: (number, record) => record.set(records[number] as Uint8Array),
  };
  const put = async (hash: string, bytes: Uint8Array) => void objects.set(hash, bytes.slice());
  return { spool, put, objects };
}

/** The pointer in its stored form; null when there is none. */
export function decodePointer(bytes: ArrayBuffer | Uint8Array | null | undefined): Pointer | null {
  return bytes ? (unsealJson(new TextDecoder().decode(bytes)) as Pointer) : null;
}

/** A document in its stored form. */
export function encodeDocument(value: object): Uint8Array {
  return new TextEncoder().encode(sealJson(value));
}

/** A request that keeps the work behind it in sight, and whose tokens are looked up unlimited. */
export class TestContext implements ReadContext, TokenRequest {
  readonly context = this;
  readonly storage = new StorageCost();
  readonly deferred: Promise<unknown>[] = [];
  readonly host = 'stores.test';
  readonly network = () => '192.0.2.1';

  /** Each that waits has come just now. */
  get giveUpAt(): number {
    return Date.now() + MAX_WAIT;
  }

  defer(work: Promise<unknown>): void {
    this.deferred.push(work);
  }

  async countGuess(): Promise<number> {
    return 0;
  }
}
