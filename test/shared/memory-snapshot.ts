/** A published snapshot in a map, for tests that control what storage answers. */
import { compileRelease } from '../../src/compile/compile-release.ts';
import { MemorySink, MemorySpool } from '../../src/compile/memory-output.ts';
import type { SourceStore } from '../../src/model/source-store.ts';
import { objectKey, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import type { Manifest, Pointer, PublishedRelease } from '../../src/snapshot/manifest.ts';
import type { Freshness, SnapshotSource } from '../../src/storage/snapshot-source.ts';

const encoder = new TextEncoder();

/** Compiles `stores` and returns the manifest with every value to store, by key. */
export async function compileValues(
  stores: Iterable<SourceStore>,
  publishedAt: string,
): Promise<{ manifest: Manifest; values: Map<string, Uint8Array> }> {
  const sink = new MemorySink();
  const manifest = await compileRelease(stores, { spool: new MemorySpool(), sink });
  const values = new Map<string, Uint8Array>();
  for (const [hash, bytes] of sink.objects) values.set(objectKey(hash), bytes);
  const release: PublishedRelease = { ...manifest, publishedAt, author: 'test' };
  values.set(releaseKey(manifest.release), encoder.encode(JSON.stringify(release)));
  const pointer: Pointer = { format: manifest.format, release: manifest.release, publishedAt };
  values.set(POINTER_KEY, encoder.encode(JSON.stringify(pointer)));
  return { manifest, values };
}

export class MemorySource implements SnapshotSource {
  readonly values = new Map<string, Uint8Array>();
  readonly reads: { key: string; freshness: Freshness }[] = [];
  /** Set to make every read fail. */
  failure: Error | null = null;

  async read(key: string, freshness: Freshness): Promise<ArrayBuffer | null> {
    this.reads.push({ key, freshness });
    if (this.failure) throw this.failure;
    const value = this.values.get(key);
    return value ? (value.slice().buffer as ArrayBuffer) : null;
  }

  /** Publishes `stores`, as the publisher does: objects, manifest, then the pointer. */
  async publish(stores: Iterable<SourceStore>, publishedAt: string): Promise<Manifest> {
    const { manifest, values } = await compileValues(stores, publishedAt);
    for (const [key, value] of values) this.values.set(key, value);
    return manifest;
  }
}
