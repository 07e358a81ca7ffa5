/** What the log says that storage cost a request. */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { StorageCost } from '../../src/storage/reading.ts';
import { compileValues } from '../support/stores/memory-snapshot.ts';
import { openStage, PUBLISHED_AT, type Stage } from '../support/worker/harness.ts';
import { type HeldStorage, pass } from '../support/worker/held-storage.ts';
import {
  closeHeldStage,
  type HeldStage,
  LIST,
  openHeldStage,
  STORES,
} from './support/held-stage.ts';

let held: HeldStage;
let storage: HeldStorage;
let stage: Stage;
let token: string;
let manifest: Manifest;
let log: MockInstance<typeof console.log>;

beforeEach(async () => {
  held = await openHeldStage({}, { partner: 'Vélo & Co' });
  ({ storage, stage, token, manifest, log } = held);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});

afterEach(() => closeHeldStage(held));

const NOTHING = { reads: 0, keys: 0, bytes: 0, waited: 0 };

/** The figures of the requests logged so far. */
function figures(): (typeof NOTHING)[] {
  return log.mock.calls.map(([line]) => {
    const { reads, keys, bytes, waited } = JSON.parse(String(line)).storage;
    return { reads, keys, bytes, waited };
  });
}

/** Bytes of a value as it lies in KV. */
async function bytesIn(namespace: KVNamespace, key: string): Promise<number> {
  return (await namespace.get(key, 'arrayBuffer'))?.byteLength ?? 0;
}

describe('the figures', () => {
  it('of a first request: all its reads, and the time of those at once counted once', async () => {
    const answer = stage.request(`${LIST}?limit=100&sort=slug__desc`, { token });
    const names = [
      ['token', 'pointer'],
      ['chunks', 'rank/slug'],
      [`${manifest.chunkCount} chunks`],
    ];
    for (const step of names) {
      await storage.waitFor(...step);
      await pass(100);
      await storage.step(...step);
    }
    expect((await answer).status).toBe(200);
    const documents =
      (await bytesIn(env.TOKENS, tokenKey(await hashToken(token)))) +
      (await bytesIn(env.SNAPSHOTS, POINTER_KEY));
    const parts = ['chunks', 'rank/slug'].map((name) => manifest.parts[name]?.bytes ?? 0);
    const bytes = documents + parts.reduce((sum, each) => sum + each, 0) + manifest.chunkBytes;
    expect(figures()).toEqual([{ reads: 5, keys: 5 + manifest.chunkCount, bytes, waited: 300 }]);
    await stage.request(`${LIST}?limit=100&sort=slug__desc`, { token });
    expect(figures()[1]).toEqual(NOTHING);
  });

  it('count the time in which a request waits for several things once', async () => {
    const cost = new StorageCost();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waits = [cost.measureWait(first.promise)];
    await pass(100);
    waits.push(cost.measureWait(second.promise));
    await pass(100);
    first.resolve();
    await pass(100);
    second.resolve();
    await Promise.all(waits);
    expect(cost.waited).toBe(300);
  });

  it('of a request that fails hold what it waited, and no more', async () => {
    const answer = stage.request(LIST, { token });
    const reads = await storage.waitFor('token', 'pointer');
    await pass(80);
    reads.find(({ name }) => name === 'pointer')?.finish();
    await storage.waitFor('token');
    await pass(20);
    reads.find(({ name }) => name === 'token')?.fail(new Error('KV is down'));
    const [again] = await storage.waitFor('token');
    again?.fail(new Error('KV is down'));
    for (let look = 0; look < 4_000 && figures().length === 0; look++) await scheduler.wait(1);
    expect((await answer).status).toBe(503);
    expect(figures()).toMatchObject([{ reads: 3, keys: 5, waited: 100 }]);
  });
});

describe('the figures of R2', () => {
  it('count each object as a read, and the two keys of a token as one', async () => {
    vi.useRealTimers();
    vi.spyOn(caches.default, 'put').mockResolvedValue(undefined);
    const { values, manifest: inR2 } = await compileValues(STORES, PUBLISHED_AT);
    for (const [key, value] of values) await env.SNAPSHOT_BUCKET.put(key, value);
    const r2 = openStage({ SNAPSHOT_STORE: 'r2' });
    expect((await r2.request(`${LIST}?limit=100`, { token })).status).toBe(200);
    const [{ reads, keys } = NOTHING] = figures();
    expect([reads, keys]).toEqual([3 + inR2.chunkCount, 4 + inR2.chunkCount]);
  });
});
