/** A fresh isolate answers after three steps of storage at the most; each reads all it can. The log says what that cost. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROTATION_KEY_SUFFIX, TOKEN_KEY_PREFIX } from '../../src/auth/token.ts';
import { LAST_RUN_KEY, objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { StorageCost } from '../../src/storage/reading.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';
import { run } from '../support/watched-storage.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  issueToken,
  LIST,
  loggedLines,
  NEAR,
  openStage,
  publishStores,
  type Stage,
} from '../support/worker/harness.ts';

const STORES = Array.from({ length: 40 }, (_, index) => buildStore(index + 1));

/** Milliseconds that each read takes. */
const LATENCY = 100;

let stage: Stage;
let token: string;
let manifest: Manifest;

beforeAll(async () => {
  manifest = await publishStores(STORES);
  token = await issueToken();
  storage.latency = LATENCY;
});

afterAll(() => {
  storage.latency = 0;
});

beforeEach(() => {
  // Nothing is looked at once more because the machine is busy.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  stage = openStage();
});

afterEach(() => {
  storage.end();
  storage.reads.length = 0;
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  run(stage.request(path, { token, headers }));

type Step = readonly string[];

const FIRST: Step = ['pointer', 'rotation', 'token'];
/** The chunks of all stores. */
const CHUNKS: Step = ['all chunks'];

/** A token, pointer, an index part by its name; of parts that have the same bytes the first one. */
function nameOf(key: string): string {
  if (key.startsWith(TOKEN_KEY_PREFIX)) {
    return key.endsWith(ROTATION_KEY_SUFFIX) ? 'rotation' : 'token';
  }
  if (key === POINTER_KEY) return 'pointer';
  if (key === LAST_RUN_KEY) return 'run';
  const parts = Object.entries(manifest.parts);
  return parts.find(([, { hash }]) => objectKey(GENERATION, hash) === key)?.[0] ?? 'chunk';
}

/** The names of what was read of late, in order of time: what was begun together is a step. */
function stepsRead(): string[][] {
  const steps = Map.groupBy(storage.reads.splice(0), ({ at }) => at);
  return [...steps.values()].map((reads) => {
    const names = reads.map(({ key }) => nameOf(key));
    const others = names.filter((name) => name !== 'chunk').sort();
    const chunks = names.length - others.length;
    return chunks > 0 ? [...others, `${chunks} chunks`] : others;
  });
}

/** Fails unless `path` is answered with `status` after exactly these steps. */
async function expectSteps(path: string, status: number, ...steps: readonly Step[]) {
  const response = await ask(path);
  expect(response.status).toBe(status);
  const partName = (name: string) => {
    const ref = manifest.parts[name];
    return ref ? nameOf(objectKey(GENERATION, ref.hash)) : name;
  };
  expect(stepsRead()).toEqual(
    steps.map((step) =>
      step === CHUNKS ? [`${manifest.chunkCount} chunks`] : step.map(partName).sort(),
    ),
  );
}

const NOTHING = { reads: 0, keys: 0, bytes: 0, waited: 0 };

/** What storage cost the requests logged so far. */
function figures(): (typeof NOTHING)[] {
  return loggedLines().map(({ storage }) => {
    const { reads, keys, bytes, waited } = storage as typeof NOTHING;
    return { reads, keys, bytes, waited };
  });
}

describe('a fresh isolate', () => {
  it.each<[string, string, number, ...Step[]]>([
    ['gets a store by its id', `/${storeId(7)}?fields=slug`, 200, ['ids', 'chunks'], ['1 chunks']],
    ['gets a store by its slug', '/store-7', 200, ['slugs', 'chunks'], ['1 chunks']],
    ['gets an opening', '/store-7?at=now', 200, ['slugs', 'chunks', 'hours'], ['1 chunks']],
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
  });

  it('tells its health in one step', async () => {
    await expectSteps('/healthz', 200, ['pointer', 'run']);
  });

  it('says in one step that a list has not changed', async () => {
    const etag = (await ask(LIST)).headers.get('etag') ?? '';
    stage = openStage();
    expect((await ask(LIST, { 'if-none-match': etag })).status).toBe(304);
    expect(figures()[1]).toMatchObject({ waited: LATENCY });
  });

  it('reads nothing twice for a crowd, some of whose requests are equal and some not', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issueToken()));
    const queries = ['?limit=7', '?skip=3&limit=20', '?sort=slug__desc&limit=5', '?limit=0'];
    const paths = [
      ...queries.map((query) => LIST + query),
      ...Array.from({ length: 8 }, (_, index) => `${LIST}/store-${3 * index + 1}`),
      ...Array.from({ length: 8 }, (_, index) => `${LIST}/${storeId(2 * index + 1)}`),
    ];
    const crowd = Array.from({ length: 60 }, (_, index) => {
      const path = paths[index % paths.length] as string;
      return stage.request(path, { token: tokens[index % tokens.length] as string });
    });
    const answers = await run(Promise.all(crowd));
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
    const keys = storage.reads.map(({ key }) => key);
    expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
    // Each token has two keys, its record and its rotation.
    expect(keys.filter((key) => key.startsWith(TOKEN_KEY_PREFIX))).toHaveLength(2 * 5);
  });
});

describe('an isolate that has its index', () => {
  it('reads the documents in one step, and not again', async () => {
    expect((await ask(`${LIST}?limit=1`)).status).toBe(200);
    stepsRead();
    await expectSteps(`${LIST}?limit=100`, 200, [`${manifest.chunkCount - 1} chunks`]);
    await expectSteps(`${LIST}?limit=100`, 200);
    await expectSteps(`${LIST}?limit=20&skip=13`, 200);
  });

  it('reads the one part that another query needs', async () => {
    await ask(LIST);
    stepsRead();
    await expectSteps(`${LIST}?sort=profile.name&lang=fr`, 200, ['rank/name/fr']);
    await expectSteps(`${LIST}/store-3`, 200, ['slugs']);
    await expectSteps(`${LIST}/store-4`, 200);
  });
});

describe('the figures in the log', () => {
  it('of a first request: all its reads, and the time of those at once counted once', async () => {
    await ask(`${LIST}?limit=100&sort=slug__desc`);
    const read = storage.reads.map(({ key }) => storage.values.get(key)?.length ?? 0);
    const bytes = read.reduce((sum, each) => sum + each);
    const keys = 5 + manifest.chunkCount;
    expect(figures()).toEqual([{ reads: 5, keys, bytes, waited: 3 * LATENCY }]);
    await ask(`${LIST}?limit=100&sort=slug__desc`);
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
    storage.begin({ fails: true }, (key) => key.startsWith(TOKEN_KEY_PREFIX));
    expect((await ask(LIST)).status).toBe(503);
    expect(figures()).toMatchObject([{ reads: 3, keys: 5, waited: 2 * LATENCY }]);
  });

  it('of R2 count each object as a read, and the two keys of a token as one', async () => {
    vi.spyOn(caches.default, 'match').mockResolvedValue(undefined);
    vi.spyOn(caches.default, 'put').mockResolvedValue(undefined);
    const r2 = openStage({ SNAPSHOT_STORE: 'r2' });
    expect((await run(r2.request(`${LIST}?limit=100`, { token }))).status).toBe(200);
    const [{ reads, keys } = NOTHING] = figures();
    expect([reads, keys]).toEqual([3 + manifest.chunkCount, 4 + manifest.chunkCount]);
  });
});
