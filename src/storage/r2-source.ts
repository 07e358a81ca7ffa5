/** Snapshots in R2. Reads through the binding pass no cache, so the Cache API stands in front. */
import type { Freshness, SnapshotSource } from './snapshot-source.ts';

/** Cache keys are URLs; this host is reserved (RFC 2606), nothing is ever asked of it. */
const CACHE_ORIGIN = 'https://snapshot.invalid/';

const CACHE_CONTROL = 'public, max-age=2592000, immutable';

export class R2Source implements SnapshotSource {
  private readonly bucket: R2Bucket;
  private readonly cache: Cache;

  /** @param cache shared by the isolates of a location, `caches.default` in the Worker */
  constructor(bucket: R2Bucket, cache: Cache) {
    this.bucket = bucket;
    this.cache = cache;
  }

  async read(key: string, freshness: Freshness): Promise<ArrayBuffer | null> {
    if (freshness === 'mutable') return this.readBucket(key);
    // Misses are never cached, so a retry needs no way around the cache.
    const url = CACHE_ORIGIN + key;
    const cached = await this.cache.match(url);
    if (cached) return cached.arrayBuffer();
    const bytes = await this.readBucket(key);
    if (bytes) {
      const headers = { 'cache-control': CACHE_CONTROL };
      await this.cache.put(url, new Response(bytes, { headers }));
    }
    return bytes;
  }

  private async readBucket(key: string): Promise<ArrayBuffer | null> {
    const object = await this.bucket.get(key);
    return object ? object.arrayBuffer() : null;
  }
}
