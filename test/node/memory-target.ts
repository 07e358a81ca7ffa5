/** A snapshot target in a map that does what tests tell it to. */
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import type { SnapshotSource } from '../../src/storage/snapshot-source.ts';

export class MemoryTarget implements SnapshotTarget {
  readonly values = new Map<string, Uint8Array>();
  /** Keys written and deleted, in order. */
  readonly writes: string[] = [];
  /** Asked before each write; throws to keep it from happening. */
  beforeWrite: (key: string) => void = () => {};
  /** What is stored of bytes written; null loses them. */
  storing: (key: string, bytes: Uint8Array) => Uint8Array | null = (_key, bytes) => bytes;

  async *list(prefix: string): AsyncGenerator<string> {
    for (const key of this.values.keys()) if (key.startsWith(prefix)) yield key;
  }

  async get(key: string): Promise<Uint8Array | null> {
    return this.values.get(key) ?? null;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.beforeWrite(key);
    this.writes.push(key);
    const stored = this.storing(key, bytes.slice());
    if (stored) this.values.set(key, stored);
  }

  async delete(key: string): Promise<void> {
    this.beforeWrite(key);
    this.writes.push(key);
    this.values.delete(key);
  }
}

/** A target as the Worker reads it. */
export function sourceOf(target: SnapshotTarget): SnapshotSource {
  const read = async (key: string) => {
    const bytes = await target.get(key);
    return bytes ? (bytes.slice().buffer as ArrayBuffer) : null;
  };
  return { mostKeys: 100, readDocument: read, readObjects: (keys) => Promise.all(keys.map(read)) };
}
