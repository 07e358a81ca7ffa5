/** A fresh isolate answers after three steps of storage at the most; each reads all it can. The log says what that cost. */
import { createExecutionContext, reset, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { StorageCost } from '../../src/storage/reading.ts';
import worker from '../../src/worker.ts';
import { compileValues } from '../support/stores/memory-snapshot.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';
import {
  issueToken,
  LIST,
  loggedLines,
  NEAR,
  ORIGIN,
  openStage,
  PUBLISHED_AT,
  publishStores,
  type Stage,
  watchLog,
} from '../support/worker/harness.ts';
import { HeldStorage } from '../support/worker/held-storage.ts';

const STORES = Array.from({ length: 40 }, (_, index) => buildStore(index + 1));

let storage: HeldStorage;
let stage: Stage;
let token: string;
let manifest: Manifest;

beforeEach(async () => {
  // Nothing is looked at once more because the machine is busy.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  watchLog();
  manifest = await publishStores(STORES);
  token = await issueToken();
  storage = new HeldStorage(manifest);
  stage = openStage(storage.env);
});

afterEach(async () => {
  vi.useRealTimers();
  storage.letGo();
  await reset();
});

type Step = readonly string[];

const FIRST: Step = ['token', 'pointer'];
/** The chunks of all stores. */
const CHUNKS: Step = ['all chunks'];

const namesIn = (step: Step) => (step === CHUNKS ? [`${manifest.chunkCount} chunks`] : step);

/** Fails unless `path` is answered with `status` after exactly these steps. */
async function expectSteps(path: string, status: number, ...steps: readonly Step[]) {
  const answer = stage.request(path, { token });
  for (const step of steps) await storage.step(...namesIn(step));
  const response = await answer;
  expect(response.status).toBe(status);
  expect(storage.held).toEqual([]);
}

describe('a fresh isolate', () => {
  it.each<[string, string, number, ...Step[]]>([
    ['gets a store by its id', `/${storeId(7)}?fields=slug`, 200, ['ids', 'chunks'], ['1 chunk']],
    ['gets a store by its slug', '/store-7', 200, ['slugs', 'chunks'], ['1 chunk']],
    ['gets an opening', '/store-7?at=now', 200, ['slugs', 'chunks', 'hours'], ['1 chunk']],
    ['knows that there is no such store', `/${'9'.repeat(24)}`, 404, ['ids', 'chunks']],
    ['refuses bad parameters', '?limit=x', 400],
    [
      'counts stores, and has the index for what comes next',
      `?limit=0&${NEAR}&verticale.equals=BIKE`,
      200,
      ['chunks', 'places', 'sets/verticales'],
    ],
    ...(
      [
        ['in the order by id', 'skip=0', []],
        ['near a position', NEAR, ['places']],
        ['by name', 'sort=profile.name&lang=fr', ['rank/name/fr']],
        ['with their openings', 'openAt=2026-07-01T10:00Z&at=2026-07-01T10:00Z', ['hours']],
        ['of a verticale', 'verticale.equals=BIKE', ['sets/verticales']],
        [
          'of everything together',
          `${NEAR}&sort=profile.name,slug__desc&lang=en&verticale.notIn=SKI`,
          ['places', 'rank/name/en', 'rank/slug', 'sets/verticales'],
        ],
      ] as const
    ).map(([what, query, parts]): [string, string, number, ...Step[]] => {
      const path = `?limit=100&fields=slug&${query}`;
      return [`lists stores ${what}`, path, 200, ['chunks', ...parts], CHUNKS];
    }),
  ])('%s', async (_, path, status, ...steps) => {
    await expectSteps(LIST + path, status, FIRST, ...steps);
    expect(new Set(storage.keys).size).toBe(storage.keys.length);
  });

  it('tells its health in one step', async () => {
    await expectSteps('/healthz', 200, ['pointer', 'run']);
  });

  it('says in one step that a list has not changed', async () => {
    const etag = (await openStage().request(LIST, { token })).headers.get('etag') ?? '';
    const context = createExecutionContext();
    const headers = { 'x-access-token': token, 'if-none-match': etag };
    const request = new Request(ORIGIN + LIST, { headers });
    const answer = worker.fetch(request, stage.env, context);
    await storage.step(...FIRST);
    expect((await answer).status).toBe(304);
    storage.letGo();
    await waitOnExecutionContext(context);
  });

  it('reads nothing twice for a crowd, some of whose requests are equal and some not', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issueToken()));
    const queries = ['?limit=7', '?skip=3&limit=20', '?sort=slug__desc&limit=5', '?limit=0'];
    const paths = [
      ...queries.map((query) => LIST + query),
      ...Array.from({ length: 8 }, (_, index) => `${LIST}/store-${3 * index + 1}`),
      ...Array.from({ length: 8 }, (_, index) => `${LIST}/${storeId(2 * index + 1)}`),
    ];
    storage.isHolding = false;
    const crowd = Array.from({ length: 60 }, (_, index) =>
      stage.request(paths[index % paths.length] as string, {
        token: tokens[index % tokens.length] as string,
      }),
    );
    const answers = await Promise.all(crowd);
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect(storage.keys.toSorted()).toEqual([...new Set(storage.keys)].toSorted());
    // Each token has two keys, its record and its rotation.
    expect(storage.keys.filter((key) => key.startsWith('token/'))).toHaveLength(2 * 5);
  });
});

describe('an isolate that has its index', () => {
  it('reads the documents in one step, and not again', async () => {
    storage.isHolding = false;
    expect((await stage.request(`${LIST}?limit=1`, { token })).status).toBe(200);
    storage.isHolding = true;
    await expectSteps(`${LIST}?limit=100`, 200, [`${manifest.chunkCount - 1} chunks`]);
    await expectSteps(`${LIST}?limit=100`, 200);
    await expectSteps(`${LIST}?limit=20&skip=13`, 200);
  });

  it('reads the one part that another query needs', async () => {
    storage.isHolding = false;
    await stage.request(LIST, { token });
    storage.isHolding = true;
    await expectSteps(`${LIST}?sort=profile.name&lang=fr`, 200, ['rank/name/fr']);
    await expectSteps(`${LIST}/store-3`, 200, ['slugs']);
    await expectSteps(`${LIST}/store-4`, 200);
  });
});

const NOTHING = { reads: 0, keys: 0, bytes: 0, waited: 0 };

/** What storage cost the requests logged so far. */
function figures(): (typeof NOTHING)[] {
  return loggedLines().map(({ storage }) => {
    const { reads, keys, bytes, waited } = storage as typeof NOTHING;
    return { reads, keys, bytes, waited };
  });
}

/** Bytes of a value as it lies in KV. */
async function bytesIn(namespace: KVNamespace, key: string): Promise<number> {
  return (await namespace.get(key, 'arrayBuffer'))?.byteLength ?? 0;
}

describe('the figures in the log', () => {
  it('of a first request: all its reads, and the time of those at once counted once', async () => {
    const answer = stage.request(`${LIST}?limit=100&sort=slug__desc`, { token });
    for (const names of [FIRST, ['chunks', 'rank/slug'], CHUNKS].map(namesIn)) {
      await storage.waitFor(...names);
      await vi.advanceTimersByTimeAsync(100);
      await storage.step(...names);
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
    await vi.advanceTimersByTimeAsync(100);
    waits.push(cost.measureWait(second.promise));
    await vi.advanceTimersByTimeAsync(100);
    first.resolve();
    await vi.advanceTimersByTimeAsync(100);
    second.resolve();
    await Promise.all(waits);
    expect(cost.waited).toBe(300);
  });

  it('of a request that fails hold what it waited, and no more', async () => {
    const answer = stage.request(LIST, { token });
    const reads = await storage.waitFor(...FIRST);
    await vi.advanceTimersByTimeAsync(80);
    reads.find(({ name }) => name === 'pointer')?.finish();
    await storage.waitFor('token');
    await vi.advanceTimersByTimeAsync(20);
    reads.find(({ name }) => name === 'token')?.fail(new Error('KV is down'));
    const [again] = await storage.waitFor('token');
    again?.fail(new Error('KV is down'));
    for (let look = 0; look < 4_000 && figures().length === 0; look++) await scheduler.wait(1);
    expect((await answer).status).toBe(503);
    expect(figures()).toMatchObject([{ reads: 3, keys: 5, waited: 100 }]);
  });

  it('of R2 count each object as a read, and the two keys of a token as one', async () => {
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
