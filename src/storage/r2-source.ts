/**
 * Snapshots in R2. Reads through the binding pass no cache, so the Cache API stands in front.
 *
 * The cache only saves time. Whatever goes wrong with it, the bucket is asked, and what the bucket
 * answers is put into the cache in the place of what was there.
 */
import type { Freshness, SnapshotSource } from './snapshot-source.ts';

/** Cache keys are URLs; this host is reserved (RFC 2606), nothing is ever asked of it. */
const CACHE_ORIGIN = 'https://snapshot.invalid/';

const CACHE_CONTROL = 'public, max-age=2592000, immutable';

/** Header of a cached value: its length in bytes. A body of another length is damaged. */
const LENGTH_HEADER = 'x-value-bytes';

/** Milliseconds that a look-up in the cache may take, with its body, before the bucket is asked. */
export const LOOK_UP_LIMIT = 200;

/**
 * Objects that are read at the same time: as many connections as a request has. More would wait for
 * one, and that wait would be taken for a slow cache.
 */
export const CONNECTIONS = 6;

/**
 * Milliseconds for which the cache is left alone after a look-up that took too long. A look-up that
 * hangs holds one of the six connections of its request; with all six taken, the bucket could not
 * be asked either.
 */
export const CACHE_REST = 10_000;

/** The part of a cache that values pass through. */
export type ValueCache = Pick<Cache, 'match' | 'put'>;

export interface R2SourceOptions {
  /** Keeps a cache write alive after the answer, as `waitUntil` does. */
  readonly defer?: (write: Promise<void>) => void;
  /** Told when the cache fails behind an answer. */
  readonly report?: (event: string, error: unknown) => void;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

export class R2Source implements SnapshotSource {
  readonly mostKeys = 100;
  /** R2 has no read of several objects. */
  readonly readsApart = true;
  private readonly bucket: R2Bucket;
  private readonly cache: ValueCache;
  private readonly defer: (write: Promise<void>) => void;
  private readonly report: (event: string, error: unknown) => void;
  private readonly now: () => number;
  /** When the cache may be asked again after a look-up that took too long. */
  private restUntil = Number.NEGATIVE_INFINITY;

  /** @param cache shared by the isolates of a location, `caches.default` in the Worker */
  constructor(bucket: R2Bucket, cache: ValueCache, options: R2SourceOptions = {}) {
    this.bucket = bucket;
    this.cache = cache;
    this.defer = options.defer ?? (() => {});
    this.report = options.report ?? (() => {});
    this.now = options.now ?? Date.now;
  }

  readDocument(key: string): Promise<ArrayBuffer | null> {
    return this.readBucket(key);
  }

  /** One after another in as many lanes as there are connections. */
  async readObjects(
    keys: readonly string[],
    freshness: Freshness,
  ): Promise<(ArrayBuffer | null)[]> {
    const values: (ArrayBuffer | null)[] = [];
    const rest = keys.entries();
    const lane = async () => {
      for (const [index, key] of rest) values[index] = await this.readObject(key, freshness);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    return values;
  }

  private async readObject(key: string, freshness: Freshness): Promise<ArrayBuffer | null> {
    // A retry asks the bucket even if the cache has a value: that may be what has to be replaced.
    if (freshness === 'cached') {
      if (this.now() < this.restUntil) return this.readBucket(key);
      const cached = await this.lookUp(key);
      if (cached) return cached;
    }
    const bytes = await this.readBucket(key);
    if (bytes) this.cacheLater(key, bytes);
    return bytes;
  }

  private async readBucket(key: string): Promise<ArrayBuffer | null> {
    const object = await this.bucket.get(key);
    return object ? object.arrayBuffer() : null;
  }

  /** The cached value; null when there is none to rely on, or the cache takes too long. */
  private async lookUp(key: string): Promise<ArrayBuffer | null> {
    const { promise: tooLong, resolve: giveUp } = Promise.withResolvers<null>();
    const timer = setTimeout(() => {
      this.restUntil = this.now() + CACHE_REST;
      this.report('snapshot_cache_slow', new Error(`${key}: no answer in ${LOOK_UP_LIMIT} ms`));
      giveUp(null);
    }, LOOK_UP_LIMIT);
    try {
      return await Promise.race([this.readCache(key), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Never rejects: a cache that fails is a cache without the value. */
  private async readCache(key: string): Promise<ArrayBuffer | null> {
    try {
      const cached = await this.cache.match(CACHE_ORIGIN + key);
      if (!cached) return null;
      const expected = cached.headers.get(LENGTH_HEADER);
      const bytes = await cached.arrayBuffer();
      if (String(bytes.byteLength) === expected) return bytes;
      throw new Error(`${key}: got ${bytes.byteLength} bytes, expected ${expected}`);
    } catch (error) {
      this.report('snapshot_cache_unreadable', error);
      return null;
    }
  }

  /** Begins to cache `bytes`. The answer neither waits for it nor fails with it. */
  private cacheLater(key: string, bytes: ArrayBuffer): void {
    try {
      this.defer(this.writeCache(key, bytes));
    } catch (error) {
      this.report('snapshot_cache_unwritable', error);
    }
  }

  /** Never rejects. Copies `bytes` before it returns, so that the reader may do with them as it likes. */
  private async writeCache(key: string, bytes: ArrayBuffer): Promise<void> {
    try {
      const headers = { 'cache-control': CACHE_CONTROL, [LENGTH_HEADER]: `${bytes.byteLength}` };
      await this.cache.put(CACHE_ORIGIN + key, new Response(bytes, { headers }));
    } catch (error) {
      this.report('snapshot_cache_unwritable', error);
    }
  }
}
