/**
 * Every row of the table of failures, over KV and over R2, in a fresh isolate and in a warm one; and how long
 * a token works that should not: a revocation is seen within two minutes while KV answers, and a record in
 * memory serves for ten minutes while it does not. Time is simulated.
 */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashToken, tokenKey } from '../../../src/auth/token.ts';
import { sealJson } from '../../../src/storage/sealed-json.ts';
import { pass } from '../../support/watched-storage.ts';
import { TOKEN_RECORD } from '../../support/worker/harness.ts';
import { NOW, type Scene, setScene } from './fault-scene.ts';
import {
  FAULTS,
  type Fault,
  REQUESTS,
  ROWS,
  type Row,
  TARGETS,
  type Target,
} from './fault-table.ts';
import { FaultyIsolate, SECOND, type SnapshotStore } from './faulty-isolate.ts';

/** Seconds between two looks at the pointer. */
const LOOK_INTERVAL = 30;

let scene: Scene;
let isolate: FaultyIsolate;

beforeAll(async () => {
  scene = await setScene();
});

beforeEach(() => {
  vi.spyOn(caches.default, 'match').mockImplementation((url) => isolate.match(String(url)));
  vi.spyOn(caches.default, 'put').mockResolvedValue(undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOW });
});

/** Where the faults of a target can happen: tokens lie in KV, whatever holds the snapshot. */
function storesOf(target: Target): readonly SnapshotStore[] {
  if (target === 'cache') return ['r2'];
  return ['record', 'rotation', 'limiter', 'guesses'].includes(target) ? ['kv'] : ['kv', 'r2'];
}

const titleOf = ({ target, faults, request }: Row) =>
  `${TARGETS[target]}: ${faults.map((fault) => FAULTS[fault]).join('; ')} (${REQUESTS[request]})`;

/** When an isolate looks again depends on when it looked last. */
function expectHealing(seconds: number | null, within: number | null, fault: Fault): void {
  if (seconds === null || within === null) expect(seconds, fault).toBe(within);
  else {
    expect(seconds, fault).toBeLessThanOrEqual(within);
    expect(seconds, fault).toBeGreaterThanOrEqual(within - LOOK_INTERVAL);
  }
}

describe.each(ROWS.map((row) => [titleOf(row), row] as const))('%s', (_, row) => {
  it.each([
    ['fresh', row.fresh],
    ['warm', row.warm],
  ] as const)('in a %s isolate', async (state, expected) => {
    for (const store of storesOf(row.target)) {
      for (const [index, fault] of row.faults.entries()) {
        // Where warm isolates differ from fresh ones, the store makes no difference.
        if (state === 'warm' && store === 'r2' && index > 0) continue;
        isolate = new FaultyIsolate(scene, store);
        if (state === 'warm') await isolate.warmUp(row, fault);
        const { hits, ...seen } = await isolate.watch(row, fault);
        const where = { store, fault, heals: null };
        expect({ ...seen, ...where }).toEqual({ ...expected, ...where });
        expectHealing(seen.heals, expected.heals, fault);
        // A warm isolate may have all in memory.
        if (state === 'fresh') expect(hits, `${store}, ${fault}`).toBeGreaterThan(0);
      }
    }
  });
});

const OF_TOKENS = ROWS.filter(({ target }) =>
  ['record', 'rotation', 'everything', 'limiter', 'guesses'].includes(target),
);

it.each(OF_TOKENS.map((row) => [titleOf(row), row] as const))(
  'nothing fails open: %s',
  async (_, row) => {
    for (const fault of row.faults) {
      isolate = new FaultyIsolate(scene, 'kv');
      isolate.suffer(row.target, fault);
      for (const token of scene.bad) {
        const { response } = await isolate.ask('list', token);
        expect([401, 503], fault).toContain(response.status);
        expect(response.headers.get('x-snapshot-release')).toBeNull();
      }
      await isolate.close();
    }
  },
);

/** Seconds that KV may need to bring what was written to where it is read. */
const KV_DELAY = 45;

/**
 * Seconds after the revocation at which its holder was last served, by an isolate that is asked so
 * often and has read the record that long before.
 * @param latency milliseconds that each read of it takes
 */
async function lastServed(interval: number, before: number, latency: number): Promise<number> {
  const key = tokenKey(await hashToken(scene.token));
  let revokedAt = Number.POSITIVE_INFINITY;
  // KV at its worst: the edge read its copy just before the revocation came, and answers from it.
  const get = async (keys: string[], { cacheTtl }: { cacheTtl: number }) => {
    await new Promise((resolve) => setTimeout(resolve, latency));
    const isSeen = Date.now() >= revokedAt + (KV_DELAY + cacheTtl) * SECOND;
    const seen = isSeen ? new Date(revokedAt).toISOString() : null;
    const record = sealJson({ ...TOKEN_RECORD, revokedAt: seen });
    return new Map(keys.map((each) => [each, each === key ? record : null]));
  };
  isolate = new FaultyIsolate(scene, 'kv', { TOKENS: { get } as unknown as KVNamespace });
  await isolate.ask('list');
  await pass(before * SECOND);
  revokedAt = Date.now();
  let last = 0;
  for (;;) {
    const { answer } = await isolate.ask('list');
    const seconds = (Date.now() - revokedAt) / SECOND;
    if (answer === 'live') last = seconds;
    else expect(answer).toBe('token_revoked');
    if (seconds > 240) break;
    await pass(interval * SECOND);
  }
  await isolate.close();
  return last;
}

it.each([0, 900])(
  'a revoked token is refused within two minutes where a read takes %i ms',
  async (latency) => {
    const times: number[] = [];
    for (const interval of [5, 14.5, 31, 44]) {
      for (const before of [1, 13, 29, 38]) {
        times.push(await lastServed(interval, before, latency));
      }
    }
    expect(Math.max(...times)).toBeLessThan(120);
    // The record serves its time, or nothing was simulated.
    expect(Math.max(...times)).toBeGreaterThan(110);
  },
);

describe('a record in memory', () => {
  it('leaves its holder the time to read stores from storage while that of tokens hangs', async () => {
    isolate = new FaultyIsolate(scene, 'kv');
    // Without the column that the next one sorts by.
    expect(await isolate.ask('guess', scene.token)).toMatchObject({ answer: 'live' });
    await pass(60 * SECOND);
    isolate.suffer('record', 'hangs');
    const { answer, waited } = await isolate.ask('list');
    expect({ answer, waited: Math.round(waited) }).toEqual({ answer: 'live', waited: 1 });
    await isolate.close();
  });

  it.each<Fault>(['fails', 'hangs'])('serves for ten minutes, no more: KV %s', async (fault) => {
    isolate = new FaultyIsolate(scene, 'kv');
    const readAt = Date.now();
    await isolate.ask('list');
    isolate.suffer('record', fault);
    let last = 0;
    for (let turn = 0; turn < 35; turn++) {
      await pass(20 * SECOND);
      const { answer } = await isolate.ask('list');
      const seconds = (Date.now() - readAt) / SECOND;
      if (answer === 'live') last = seconds;
      else expect(answer).toBe('storage_unreachable');
    }
    expect(last).toBeLessThanOrEqual(601);
    expect(last).toBeGreaterThan(570);
    await isolate.close();
  });
});
