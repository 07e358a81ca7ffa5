/** The cache in front of R2: whatever it does, a value that the bucket has is read, and soon. */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import {
  CACHE_REST,
  CONNECTIONS,
  MAX_LOOK_UP,
  R2Source,
  type ValueCache,
} from '../../src/storage/r2-source.ts';
import type { Freshness } from '../../src/storage/reading.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';

const BYTES = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251);
const KEPT = { 'cache-control': 'max-age=60' };

/** Cached values outlive `reset`, so every test has a key of its own. */
let number = 0;
let key: string;
/** The request that values are read for. */
let request: TestContext;

const object = () => ({ key, bytes: BYTES.length });

beforeEach(async () => {
  request = new TestContext();
  key = `snapshot/object/cached-${number++}`;
  await env.SNAPSHOT_BUCKET.put(key, BYTES);
});

/** A source over the real bucket and the real cache, with parts of the cache replaced. */
function openSource(replaced: Partial<ValueCache> = {}) {
  const real = caches.default;
  const cache: ValueCache = {
    match: vi.fn(replaced.match ?? ((url) => real.match(url))),
    put: vi.fn(replaced.put ?? ((url, response) => real.put(url, response))),
  };
  const report = vi.fn();
  const bucketRead = vi.spyOn(env.SNAPSHOT_BUCKET, 'get') as Mock<(key: string) => unknown>;
  const source = new R2Source(env.SNAPSHOT_BUCKET, cache, report);
  return {
    source,
    cache,
    report,
    bucketRead,
    writes: () => Promise.all(request.deferred),
    /** Reads the value and expects it whole. */
    async expectRead(freshness: Freshness = 'cached') {
      const [bytes] = await source.readObjects([object()], freshness, request);
      expect(bytes && new Uint8Array(bytes)).toEqual(BYTES);
    },
  };
}

/** A body that never ends. */
const hangingBody = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(BYTES.slice(0, 1000)),
  });

const forever = () => new Promise<never>(() => {});

it('the cache keeps a value as it was read, whatever the reader does with its bytes', async () => {
  const { source, expectRead, writes, bucketRead, report } = openSource();
  const [bytes] = await source.readObjects([object()], 'cached', request);
  new Uint8Array(bytes as ArrayBuffer).fill(0);
  await writes();
  for (let time = 0; time < 2; time++) await expectRead();
  expect(bucketRead).toHaveBeenCalledTimes(1);
  expect(report).not.toHaveBeenCalled();
});

it('reads and writes of a request take as many connections together as it has, however many objects it reads', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const count = { underWay: 0, most: 0 };
  const counted = async <Value>(value: Value) => {
    count.most = Math.max(count.most, ++count.underWay);
    await new Promise((resolve) => setTimeout(resolve, MAX_LOOK_UP / 4));
    count.underWay--;
    return value;
  };
  const { source, cache, bucketRead, report } = openSource({
    match: () => counted(undefined),
    put: () => counted(undefined),
  });
  bucketRead.mockImplementation(() => counted({ arrayBuffer: async () => new ArrayBuffer(8) }));
  for (const read of [1, 2, 3]) {
    const objects = Array.from({ length: 20 }, (_, each) => ({ key: `${read}/${each}`, bytes: 8 }));
    source.readObjects(objects, 'cached', request);
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count).toEqual({ underWay: 0, most: CONNECTIONS });
  for (const each of [cache.match, bucketRead, cache.put]) expect(each).toHaveBeenCalledTimes(60);
  // A look-up that waits for a connection is no slow one.
  expect(report).not.toHaveBeenCalled();
});

it.each<[string, BodyInit]>([
  ['is too short', BYTES.slice(0, 1000)],
  ['is empty', ''],
  ['is too long', new Uint8Array(BYTES.length + 1)],
])('a damaged entry that %s is passed by and replaced', async (_, body) => {
  const cacheKey = `https://${request.host}/v2/external/${key}`;
  await caches.default.put(cacheKey, new Response(body, { headers: KEPT }));
  const { expectRead, writes, bucketRead, report } = openSource();
  await expectRead();
  expect(report).toHaveBeenCalledExactlyOnceWith('snapshot_cache_unreadable', expect.any(Error));
  await writes();
  await expectRead();
  expect(bucketRead).toHaveBeenCalledTimes(1);
});

it('a write that the cache rejects does not fail the answer', async () => {
  const { expectRead, writes, report } = openSource({
    put: () => Promise.reject(new Error('the cache is down')),
  });
  await expectRead();
  await expectRead('retry');
  await writes();
  expect(report).toHaveBeenCalledTimes(2);
  expect(report).toHaveBeenCalledWith('snapshot_cache_unwritable', expect.any(Error));
});

describe('a cache that hangs', () => {
  it.each<[string, ValueCache['match']]>([
    ['before it answers', forever],
    ['within the body', async () => new Response(hangingBody(), { headers: KEPT })],
  ])('is passed by after a while and written to: %s', async (_, match) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { cache, expectRead, writes, report, bucketRead } = openSource({ match });
    const read = expectRead();
    await vi.advanceTimersByTimeAsync(MAX_LOOK_UP - 1);
    expect(bucketRead).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await read;
    expect(report).toHaveBeenCalledExactlyOnceWith('snapshot_cache_slow', expect.any(Error));
    await writes();
    expect(cache.put).toHaveBeenCalledTimes(1);
  });

  it('is left alone for a while, then asked again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let isHanging = true;
    const match: ValueCache['match'] = (url) => (isHanging ? forever() : caches.default.match(url));
    const { cache, expectRead, writes, bucketRead } = openSource({ match });
    await expectRead();
    isHanging = false;
    vi.setSystemTime(Date.now() + CACHE_REST - 1);
    await expectRead();
    expect(cache.match).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 1);
    await writes();
    await expectRead();
    expect(cache.match).toHaveBeenCalledTimes(2);
    expect(bucketRead).toHaveBeenCalledTimes(2);
  });

  it('does not delay the answer by a write, however many hang', async () => {
    const { expectRead, cache } = openSource({ put: forever });
    await expectRead();
    for (let time = 0; time < 2 * CONNECTIONS; time++) await expectRead('retry');
    expect(cache.put).toHaveBeenCalled();
  });
});
