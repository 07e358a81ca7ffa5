/**
 * Snapshots in an R2 bucket of Cloudflare's platform, reached through its API. R2 is strongly
 * consistent: what was written is there at once.
 */

import type { CloudflareApi } from './cloudflare-api.ts';
import type { BeforeRepeat, SnapshotTarget } from './key-value-store.ts';
import { R2BucketOverApi } from './r2-bucket.ts';

export class RemoteR2Target implements SnapshotTarget {
  private readonly bucket: R2BucketOverApi;

  constructor(api: CloudflareApi, bucket: string) {
    this.bucket = new R2BucketOverApi(api, bucket);
  }

  list(prefix: string): AsyncIterable<string> {
    return this.bucket.keys(prefix);
  }

  get(key: string): Promise<Uint8Array | null> {
    return this.bucket.get(key);
  }

  put(key: string, bytes: Uint8Array, beforeRepeat?: BeforeRepeat): Promise<void> {
    return this.bucket.put(key, bytes, beforeRepeat);
  }

  delete(key: string): Promise<void> {
    return this.bucket.delete(key);
  }
}
