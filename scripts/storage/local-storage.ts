/**
 * Storage of this machine, reached through its bindings: a KV namespace and an R2 bucket. It is a SQLite
 * file, which one process at a time can write.
 */
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import pRetry from 'p-retry';
import {
  decodeKvValue,
  encodeKvValue,
  type KvStore,
  type Ledger,
  type LedgerKey,
  type StoredKey,
} from './key-value-store.ts';

export class LocalKv implements KvStore {
  readonly lateness = 0;
  private readonly namespace: KVNamespace;

  constructor(namespace: KVNamespace) {
    this.namespace = namespace;
  }

  async *list(prefix: string): AsyncGenerator<StoredKey> {
    let from: { cursor?: string } = {};
    for (;;) {
      const page = await retryBusy(() =>
        this.namespace.list<{ bytes: number }>({ prefix, ...from }),
      );
      for (const { name, metadata } of page.keys) {
        yield { key: name, bytes: metadata?.bytes ?? null };
      }
      if (page.list_complete) return;
      from = { cursor: page.cursor };
    }
  }

  async get(key: string): Promise<Uint8Array | null> {
    const value = await retryBusy(() => this.namespace.get(key, 'arrayBuffer'));
    return value ? decodeKvValue(key, new Uint8Array(value)) : null;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const value = encodeKvValue(key, bytes);
    const metadata = { bytes: bytes.length };
    await retryBusy(() => this.namespace.put(key, value, { metadata }));
  }

  now(): number {
    return Date.now();
  }

  async delete(key: string): Promise<void> {
    await retryBusy(() => this.namespace.delete(key));
  }
}

export class LocalR2 implements Ledger {
  readonly lateness = 0;
  private readonly bucket: R2Bucket;

  constructor(bucket: R2Bucket) {
    this.bucket = bucket;
  }

  async *list(prefix: string): AsyncGenerator<LedgerKey> {
    let from: { cursor?: string } = {};
    for (;;) {
      const page = await retryBusy(() => this.bucket.list({ prefix, ...from }));
      for (const { key, size, uploaded } of page.objects) {
        yield { key, bytes: size, storedAt: uploaded.getTime() };
      }
      if (!page.truncated) return;
      from = { cursor: page.cursor };
    }
  }

  async get(key: string): Promise<Uint8Array | null> {
    return retryBusy(async () => {
      const object = await this.bucket.get(key);
      return object ? new Uint8Array(await object.arrayBuffer()) : null;
    });
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await retryBusy(() => this.bucket.put(key, bytes));
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    const onlyIf = { etagDoesNotMatch: '*' };
    return (await retryBusy(() => this.bucket.put(key, bytes, { onlyIf }))) !== null;
  }

  async delete(key: string): Promise<void> {
    await retryBusy(() => this.bucket.delete(key));
  }

  /** Returns the time of this machine, which is the clock of local storage. */
  async now(): Promise<number> {
    return Date.now();
  }
}

/**
 * What SQLITE_BUSY looks like from outside: KV answers 500, R2 with an error it cannot name, and the
 * local runtime with an internal error or a lost connection when another process was killed in the
 * middle of a write. Other faults of the storage look the same, and outlast our patience.
 */
const BUSY =
  /SQLITE_BUSY|500 Internal Server Error|Unspecified error \(0\)|Network connection lost|internal error; reference/;

/** What undici calls a connection that the other side closed. */
const CLOSED = 'UND_ERR_SOCKET';

/** Runs `operation`, again and again while another process keeps the storage busy. */
export async function retryBusy<T>(operation: () => Promise<T>): Promise<T> {
  return pRetry(operation, {
    // Five to ten seconds in all; jitter keeps two writers from meeting again at each attempt.
    retries: 9,
    minTimeout: 10,
    randomize: true,
    // The way to the local runtime is HTTP: a connection that it closes may still be written to.
    shouldRetry: ({ error: { cause, message } }) =>
      (cause as NodeJS.ErrnoException | undefined)?.code === CLOSED || BUSY.test(message),
  });
}
