/** Snapshots in a Workers KV namespace, reached through its binding. */
import type { KVNamespace } from '@cloudflare/workers-types';
import type { BeforeRepeat, SnapshotTarget } from './key-value-store.ts';
import { decodeKvValue, encodeKvValue } from './kv-value.ts';
import { retryBusy } from './retry-busy.ts';

export class KvTarget implements SnapshotTarget {
  private readonly namespace: KVNamespace;

  constructor(namespace: KVNamespace) {
    this.namespace = namespace;
  }

  async *list(prefix: string): AsyncGenerator<string> {
    let cursor: string | null = null;
    do {
      const page = await this.listPage(prefix, cursor);
      for (const { name } of page.keys) yield name;
      cursor = page.list_complete ? null : page.cursor;
    } while (cursor !== null);
  }

  async get(key: string): Promise<Uint8Array | null> {
    const value = await retryBusy(() => this.namespace.get(key, 'arrayBuffer'));
    return value ? decodeKvValue(key, new Uint8Array(value)) : null;
  }

  async put(key: string, bytes: Uint8Array, beforeRepeat?: BeforeRepeat): Promise<void> {
    const value = encodeKvValue(key, bytes);
    await retryBusy(() => this.namespace.put(key, value), beforeRepeat);
  }

  async delete(key: string): Promise<void> {
    await retryBusy(() => this.namespace.delete(key));
  }

  private listPage(prefix: string, cursor: string | null) {
    return retryBusy(() => this.namespace.list({ prefix, cursor }));
  }
}
