/** One contract for every place that snapshots are kept in, over the real local bindings. */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { KvSource } from '../../src/storage/kv-source.ts';
import { R2Source } from '../../src/storage/r2-source.ts';
import { type Freshness, MAX_READ_BYTES, type SnapshotSource } from '../../src/storage/reading.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';

interface Kept {
  readonly source: SnapshotSource;
  /** Puts an object in the form it has there. */
  putObject(key: string, bytes: Uint8Array): Promise<unknown>;
  putDocument(key: string, bytes: Uint8Array): Promise<unknown>;
  /** Makes the next read of the binding fail. */
  break(): void;
}

/** The request that the sources read for. It holds what they write to a cache behind its answer. */
let request: TestContext;

const places: [string, () => Kept][] = [
  [
    'KV',
    () => ({
      source: new KvSource(env.SNAPSHOTS),
      putObject: (key, bytes) =>
        env.SNAPSHOTS.put(key, bytes.length > MAX_READ_BYTES ? bytes : bytes.toBase64()),
      putDocument: (key, bytes) => env.SNAPSHOTS.put(key, bytes),
      break: () => vi.spyOn(env.SNAPSHOTS, 'get').mockRejectedValue(new Error('KV is down')),
    }),
  ],
  [
    'R2',
    () => ({
      source: new R2Source(env.SNAPSHOT_BUCKET, caches.default, () => {}),
      putObject: (key, bytes) => env.SNAPSHOT_BUCKET.put(key, bytes),
      putDocument: (key, bytes) => env.SNAPSHOT_BUCKET.put(key, bytes),
      break: () => vi.spyOn(env.SNAPSHOT_BUCKET, 'get').mockRejectedValue(new Error('R2 is down')),
    }),
  ],
];

const freshnesses: Freshness[] = ['cached', 'retry'];

/** Of all values, so that bytes which are no text are among them. */
const bytesOfLength = (length: number) =>
  Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
const BYTES = bytesOfLength(300_000);

beforeEach(() => {
  request = new TestContext();
});

afterEach(() => Promise.all(request.deferred));

/** The bytes of a value as numbers, which compare. */
const bytesOf = (value: ArrayBuffer | null | undefined) => {
  expect(value).toBeInstanceOf(ArrayBuffer);
  return new Uint8Array(value as ArrayBuffer);
};

describe.each(places)('snapshots in %s', (name, open) => {
  /** Cached values outlive `reset`, so every test has keys of its own. */
  let number = 0;
  const freshKey = () => `snapshot/object/${name}-${number++}`;

  describe.each(freshnesses)('objects (%s)', (freshness) => {
    it.each([300_000, MAX_READ_BYTES, MAX_READ_BYTES + 1])(
      'are read whole: %d bytes',
      async (length) => {
        const { source, putObject } = open();
        const key = freshKey();
        const bytes = bytesOfLength(length);
        await putObject(key, bytes);
        for (let time = 0; time < 2; time++) {
          const read = source.readObjects([{ key, bytes: length }], freshness, request);
          const [value, ...others] = await read;
          expect(bytesOf(value)).toEqual(bytes);
          expect(others).toEqual([]);
        }
      },
    );

    it('come in the order of the keys, as many as one read may take', async () => {
      const { source, putObject } = open();
      const keys = Array.from({ length: source.maxKeys }, freshKey);
      // Put in another order, and not all of them: what is missing is null in its place.
      const put = keys.map((key, index) => ({ key, index })).filter(({ index }) => index % 7 !== 3);
      await Promise.all(
        put.toReversed().map(({ key, index }) => putObject(key, Uint8Array.of(index, 255 - index))),
      );
      const objects = keys.map((key) => ({ key, bytes: 2 }));
      const values = await source.readObjects(objects, freshness, request);
      expect(values.map((value) => value && [...new Uint8Array(value)])).toEqual(
        keys.map((_, index) => (index % 7 === 3 ? null : [index, 255 - index])),
      );
    });

    it('that cannot be reached are an error, not a miss', async () => {
      const { source, ...kept } = open();
      kept.break();
      for (const keys of [[freshKey()], [freshKey(), freshKey()]]) {
        const objects = keys.map((key) => ({ key, bytes: 2 }));
        await expect(source.readObjects(objects, freshness, request)).rejects.toThrow('is down');
      }
    });
  });

  it('objects are found on retry after a miss', async () => {
    const { source, putObject } = open();
    const key = freshKey();
    const object = { key, bytes: BYTES.length };
    expect(await source.readObjects([object], 'cached', request)).toEqual([null]);
    await putObject(key, BYTES);
    for (const freshness of ['retry', 'cached'] as const) {
      const [value] = await source.readObjects([object], freshness, request);
      expect(value?.byteLength).toBe(BYTES.length);
    }
  });

  it('documents are read whole, and anew each time', async () => {
    const { source, putDocument } = open();
    const key = freshKey();
    expect(await source.readDocument(key, request)).toBeNull();
    for (const bytes of [Uint8Array.of(1, 200), BYTES, Uint8Array.of(2)]) {
      await putDocument(key, bytes);
      expect(bytesOf(await source.readDocument(key, request))).toEqual(bytes);
    }
  });
});

describe('KV', () => {
  const A = { key: 'a', bytes: 4 };

  it('may answer from any cache, but for a retry and a document from one of half a minute', async () => {
    const get = vi.spyOn(env.SNAPSHOTS, 'get') as unknown as MockInstance<
      (key: string, options: { cacheTtl: number }) => unknown
    >;
    const source = new KvSource(env.SNAPSHOTS);
    await source.readObjects([A], 'cached');
    await source.readObjects([A], 'retry');
    await source.readDocument('a');
    const lives = get.mock.calls.map(([, { cacheTtl }]) => cacheTtl);
    expect(lives).toEqual([30 * 24 * 3600, 30, 30]);
  });

  it('answers a damaged object that is no base64 as it lies there, which matches no hash', async () => {
    await env.SNAPSHOTS.put('a', '!AAA');
    const [value] = await new KvSource(env.SNAPSHOTS).readObjects([A], 'retry');
    expect(bytesOf(value)).toEqual(new TextEncoder().encode('!AAA'));
  });
});
