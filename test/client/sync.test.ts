/**
 * A kept copy has the stores of the release it names, whatever the places of the service answer, and
 * wherever the program that keeps it is ended. SYNC_RUNS sets how many runs, SYNC_SEED where they
 * begin.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import {
  type CopyState,
  type DirectoryOptions,
  MemoryCopy,
  type StoreDirectory,
} from '../../client/src/index.ts';
import { open } from './support/client-stage.ts';
import { addTo, FOREIGN, Places, type PlainStore, VERTICALES } from './support/simulated-places.ts';

const RUNS = Number(process.env.SYNC_RUNS ?? 300);
const SEED = Number(process.env.SYNC_SEED ?? 1);
/** Syncs of one copy, with some time between them. */
const SYNCS = 6;

class Killed extends Error {}

/** A copy whose program is ended now and then, before or after a step. */
class FragileCopy extends MemoryCopy<PlainStore> {
  counts = { whole: 0, mixed: 0, kills: 0 };
  private readonly places: Places;
  private readonly risk: number;
  private readonly check: (copy: FragileCopy) => void;

  constructor(places: Places, check: (copy: FragileCopy) => void) {
    super();
    this.places = places;
    this.risk = places.random.chance(0.5) ? 0.08 : 0;
    this.check = check;
  }

  override save(state: CopyState): void {
    this.step(() => super.save(state));
    if (state.release !== null) this.counts.whole++;
    if (state.mixed.length > 1) this.counts.mixed++;
  }

  override put(stores: readonly PlainStore[]): void {
    // A part of the stores may be there when it happens.
    for (const store of stores) this.step(() => super.put([store]), this.risk / 10);
  }

  override remove(ids: readonly string[]): void {
    for (const id of ids) this.step(() => super.remove([id]), this.risk / 10);
  }

  private step(work: () => void, risk = this.risk): void {
    const die = this.places.random.fraction();
    if (die < risk / 2) this.kill();
    work();
    this.check(this);
    if (die > 1 - risk / 2) this.kill();
  }

  private kill(): never {
    this.counts.kills++;
    throw new Killed('killed');
  }
}

/** The client before simulated places, in their time. */
function directoryAt({ fetch, sleep }: Places, options: Partial<DirectoryOptions>): StoreDirectory {
  return open([], { fetch, sleep, ...options }).directory;
}

/** Syncs as a program that is started again, at once or later. */
async function syncUntilDone(
  directory: StoreDirectory,
  copy: FragileCopy,
  query: object,
  places: Places,
) {
  for (;;) {
    try {
      return await directory.sync<undefined>(copy as never, query);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      places.pass(places.random.fraction() ** 3 * 200_000);
    }
  }
}

async function run(seed: number, totals: Record<string, number>): Promise<void> {
  const places = new Places(seed);
  const verticale = places.random.chance(0.4) ? places.random.pick(VERTICALES) : undefined;
  const query = verticale ? { verticale: { in: [verticale] } } : {};
  const right = ({ state, stores }: FragileCopy) => {
    if (!state?.release) return;
    const expected = places.storesOf(state.release, verticale ?? null);
    // After every step: vitest compares what is wrong alone, to show where.
    if (isDeepStrictEqual(stores, expected)) return;
    expect(stores, `seed ${seed}: not that of ${state.release}`).toEqual(expected);
  };
  const copy = new FragileCopy(places, right);
  const directory = directoryAt(places, { tries: 20 });
  for (let count = 0; count < SYNCS; count++) {
    const result = await syncUntilDone(directory, copy, query, places);
    expect(copy.state, `seed ${seed}`).toMatchObject({ release: result.release, mixed: [] });
    right(copy);
    addTo(totals, { walks: Number(result.walked && count > 0) });
    places.rest();
  }
  addTo(totals, { ...places.counts, ...copy.counts });
}

it('a copy of a release that never arrives, as one of another storage, is filled anew, and what it waited for is told', async () => {
  const places = new Places(SEED);
  const told: string[] = [];
  const directory = directoryAt(places, { onWait: ({ reason }) => told.push(reason.message) });
  const copy = new MemoryCopy<PlainStore>();
  await directory.sync<undefined>(copy as never);
  copy.state = { ...(copy.state as CopyState), release: FOREIGN.release };
  copy.put([FOREIGN.store]);
  const { release, walked } = await directory.sync<undefined>(copy as never);
  expect(walked).toBe(true);
  expect(copy.stores).toEqual(places.storesOf(release, null));
  expect(told).toContain('503 release_not_here_yet: D.');
});

it('a copy equals the release it names, through everything that makes it hard', {
  timeout: 1_000 * RUNS,
}, async () => {
  const totals: Record<string, number> = {};
  for (let seed = SEED; seed < SEED + RUNS; seed++) await run(seed, totals);
  if (process.env.SYNC_RUNS) console.log(totals);
  for (const [name, count] of Object.entries(totals)) {
    expect(count, name).toBeGreaterThan(RUNS / 20);
  }
});
