/** Every row of the table of failures, over KV and over R2, in a fresh isolate and in a warm one. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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
import { FaultyIsolate, type SnapshotStore } from './faulty-isolate.ts';

/** Seconds between two looks at the pointer. */
const LOOK_INTERVAL = 30;

let scene: Scene;
let isolate: FaultyIsolate;

beforeAll(async () => {
  scene = await setScene();
});

beforeEach(() => {
  vi.spyOn(caches.default, 'match').mockImplementation((url) => isolate.storage.match(String(url)));
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

describe('nothing fails open', () => {
  const rows = ROWS.filter(({ target }) =>
    ['record', 'rotation', 'everything', 'limiter', 'guesses'].includes(target),
  );

  it.each(rows.map((row) => [titleOf(row), row] as const))('%s', async (_, row) => {
    for (const fault of row.faults) {
      isolate = new FaultyIsolate(scene, 'kv');
      isolate.begin(row.target, fault);
      for (const token of scene.bad) {
        const { response } = await isolate.ask('list', token);
        expect([401, 503], fault).toContain(response.status);
        expect(response.headers.get('x-snapshot-release')).toBeNull();
      }
      await isolate.close();
    }
  });
});
