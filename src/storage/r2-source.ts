/**
 * Snapshots in R2. Reads through the binding pass no cache, so the Cache API stands in front.
 *
 * The cache only saves time. If anything goes wrong with it, the bucket is asked, and its answer replaces
 * what the cache had.
 */
import {
  type Freshness,
  type ReadContext,
  type Report,
  type SnapshotSource,
  type StoredObject,
  settlesWithin,
} from './reading.ts';

/**
 * Cache keys are URLs of the Worker's own host, as the Cache API asks for. Every request below this
 * path comes to the Worker, which serves nothing there, so no cached object answers it.
 */
const CACHE_PATH = '/v2/external/';

/**
 * Milliseconds that a look-up in the cache may take, with its body, before the bucket is asked. They
 * begin when the look-up has a lane.
 */
export const MAX_LOOK_UP = 200;

/**
 * Operations of one request at the same time: as many connections as it has. A further one would
 * wait for a connection, and that wait would be taken for a slow cache.
 */
export const CONNECTIONS = 6;

/** Writes of one request at the same time. Should they hang, reads go on in the other lanes. */
const WRITES_AT_ONCE = 2;

/**
 * Milliseconds for which the cache is left alone after a look-up that took too long. A look-up that
 * hangs holds one of the six connections of its request; with all six taken, the bucket could not
 * be asked either.
 */
export const CACHE_REST = 10_000;

/** The part of a cache that values pass through. */
export type ValueCache = Pick<Cache, 'match' | 'put'>;

export class R2Source implements SnapshotSource {
  readonly maxKeys = 100;
  /** R2 has no read of several objects. */
  readonly readsApart = true;
  private readonly bucket: R2Bucket;
  private readonly cache: ValueCache;
  private readonly report: Report;
  /** When the cache may be asked again after a look-up that took too long: milliseconds since 1970. */
  private restUntil = Number.NEGATIVE_INFINITY;
  private readonly connections = new WeakMap<ReadContext, Connections>();

  /**
   * @param cache shared by the isolates of a location, `caches.default` in the Worker
   * @param report called with errors of the cache
   */
  constructor(bucket: R2Bucket, cache: ValueCache, report: Report) {
    this.bucket = bucket;
    this.cache = cache;
    this.report = report;
  }

  readDocument(key: string, request: ReadContext): Promise<ArrayBuffer | null> {
    return this.connectionsOf(request).all(() => this.readBucket(key));
  }

  readObjects(
    objects: readonly StoredObject[],
    freshness: Freshness,
    request: ReadContext,
  ): Promise<(ArrayBuffer | null)[]> {
    const { all } = this.connectionsOf(request);
    const read = (object: StoredObject) => all(() => this.readObject(object, freshness, request));
    return Promise.all(objects.map(read));
  }

  /** Returns the lanes of a request. They are its own: their promises end with it. */
  private connectionsOf(request: ReadContext): Connections {
    let connections = this.connections.get(request);
    if (!connections) {
      connections = { all: lanes(CONNECTIONS), writes: lanes(WRITES_AT_ONCE) };
      this.connections.set(request, connections);
    }
    return connections;
  }

  private async readObject(
    { key, bytes: length }: StoredObject,
    freshness: Freshness,
    request: ReadContext,
  ): Promise<ArrayBuffer | null> {
    const cacheKey = `https://${request.host}${CACHE_PATH}${key}`;
    // A retry asks the bucket even if the cache has a value: that may be what has to be replaced.
    if (freshness === 'cached') {
      if (Date.now() < this.restUntil) return this.readBucket(key);
      const cached = await this.lookUp(cacheKey, length);
      if (cached) return cached;
    }
    const bytes = await this.readBucket(key);
    if (bytes) this.cacheLater(cacheKey, bytes, request);
    return bytes;
  }

  private async readBucket(key: string): Promise<ArrayBuffer | null> {
    const object = await this.bucket.get(key);
    return object ? object.arrayBuffer() : null;
  }

  /** Returns the cached value; null when there is none to rely on, or the cache takes too long. */
  private async lookUp(cacheKey: string, length: number): Promise<ArrayBuffer | null> {
    const value = this.readCache(cacheKey, length);
    if (await settlesWithin(value, MAX_LOOK_UP)) return value;
    this.restUntil = Date.now() + CACHE_REST;
    this.report('snapshot_cache_slow', new Error(`${cacheKey}: no answer in ${MAX_LOOK_UP} ms`));
    return null;
  }

  /** Returns the cached value, or null. Never rejects: a cache that fails counts as one without the value. */
  private async readCache(cacheKey: string, length: number): Promise<ArrayBuffer | null> {
    try {
      const cached = await this.cache.match(cacheKey);
      if (!cached) return null;
      const bytes = await cached.arrayBuffer();
      if (bytes.byteLength === length) return bytes;
      throw new Error(`${cacheKey}: got ${bytes.byteLength} bytes, expected ${length}`);
    } catch (error) {
      this.report('snapshot_cache_unreadable', error);
      return null;
    }
  }

  /**
   * Begins to cache `bytes`, of which it takes a copy at once. The answer neither waits for that nor
   * fails with it.
   */
  private cacheLater(cacheKey: string, bytes: ArrayBuffer, request: ReadContext): void {
    const headers = { 'cache-control': 'public, max-age=2592000, immutable' };
    const { all, writes } = this.connectionsOf(request);
    const response = new Response(bytes, { headers });
    const write = writes(() => all(() => this.cache.put(cacheKey, response)));
    request.defer(write.catch((error) => this.report('snapshot_cache_unwritable', error)));
  }
}

/** The lanes of a request, for reads and for writes. */
interface Connections {
  readonly all: Lanes;
  /** A write has a lane of these before it asks for one of `all`. */
  readonly writes: Lanes;
}

/** Starts work when a lane is free, and returns what it brings. */
type Lanes = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Lets so much work go on at the same time, first come first served. */
function lanes(count: number): Lanes {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
