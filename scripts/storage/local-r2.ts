/** An R2 bucket of this machine, reached through its binding. */
import type { R2Bucket } from '@cloudflare/workers-types';
import type { Ledger, LedgerKey } from './key-value-store.ts';
import { retryBusy } from './retry-busy.ts';

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

  /** The clock of local storage is that of this machine. */
  async now(): Promise<number> {
    return Date.now();
  }
}
