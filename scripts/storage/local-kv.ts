/** A Workers KV namespace of this machine, reached through its binding. */
import type { KVNamespace } from '@cloudflare/workers-types';
import type { KvKey, KvStore } from './key-value-store.ts';
import { decodeKvValue, encodeKvValue, lengthMetadata, readLength } from './kv-value.ts';
import { retryBusy } from './retry-busy.ts';

export class LocalKv implements KvStore {
  readonly lateness = 0;
  private readonly namespace: KVNamespace;

  constructor(namespace: KVNamespace) {
    this.namespace = namespace;
  }

  async *list(prefix: string): AsyncGenerator<KvKey> {
    let cursor: string | null = null;
    do {
      const page = await this.listPage(prefix, cursor);
      for (const { name, metadata } of page.keys) {
        yield { key: name, bytes: readLength(metadata), metadata };
      }
      cursor = page.list_complete ? null : page.cursor;
    } while (cursor !== null);
  }

  async get(key: string): Promise<Uint8Array | null> {
    const value = await retryBusy(() => this.namespace.get(key, 'arrayBuffer'));
    return value ? decodeKvValue(key, new Uint8Array(value)) : null;
  }

  async put(
    key: string,
    bytes: Uint8Array,
    metadata: object = lengthMetadata(bytes.length),
  ): Promise<void> {
    const value = encodeKvValue(key, bytes);
    await retryBusy(() => this.namespace.put(key, value, { metadata }));
  }

  now(): number {
    return Date.now();
  }

  async delete(key: string): Promise<void> {
    await retryBusy(() => this.namespace.delete(key));
  }

  private listPage(prefix: string, cursor: string | null) {
    return retryBusy(() => this.namespace.list({ prefix, cursor }));
  }
}
