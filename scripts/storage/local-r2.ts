/** Snapshots in an R2 bucket, reached through its binding. */
import type { R2Bucket } from '@cloudflare/workers-types';
import type { BeforeRepeat, SnapshotTarget } from './key-value-store.ts';
import { retryBusy } from './retry-busy.ts';

export class R2Target implements SnapshotTarget {
  private readonly bucket: R2Bucket;

  constructor(bucket: R2Bucket) {
    this.bucket = bucket;
  }

  async *list(prefix: string): AsyncGenerator<string> {
    let cursor: string | undefined;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const page = await retryBusy(() => this.bucket.list({ prefix, ...from }));
      for (const { key } of page.objects) yield key;
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }

  async get(key: string): Promise<Uint8Array | null> {
    return retryBusy(async () => {
      const object = await this.bucket.get(key);
      return object ? new Uint8Array(await object.arrayBuffer()) : null;
    });
  }

  async put(key: string, bytes: Uint8Array, beforeRepeat?: BeforeRepeat): Promise<void> {
    await retryBusy(() => this.bucket.put(key, bytes), beforeRepeat);
  }

  /** A write that was done and yet reported as failed is repeated, and returns false then. */
  async replace(
    key: string,
    bytes: Uint8Array,
    isExpected: (current: Uint8Array | null) => boolean,
  ): Promise<boolean> {
    return retryBusy(async () => {
      const object = await this.bucket.get(key);
      if (!isExpected(object ? new Uint8Array(await object.arrayBuffer()) : null)) return false;
      const onlyIf = object ? { etagMatches: object.etag } : { etagDoesNotMatch: '*' };
      return (await this.bucket.put(key, bytes, { onlyIf })) !== null;
    });
  }

  async delete(key: string): Promise<void> {
    await retryBusy(() => this.bucket.delete(key));
  }
}
