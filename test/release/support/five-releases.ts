/** Five releases in memory, published on days 1 to 5 of January 2026, for tests of what is kept. */
import { beforeAll, beforeEach } from 'vitest';
import { type Rollback, rollBack } from '../../../scripts/release/roll-back.ts';
import { ReleaseHolder } from '../../../src/load/release-holder.ts';
import { UNHELD_PARTS } from '../../../src/snapshot/manifest.ts';
import { MemoryTarget, sourceOf } from '../../support/memory-target.ts';
import { dayOfJanuary, publishStores, storesFrom } from '../../support/stores/compiled-stores.ts';
import { TestBackground } from '../../support/stores/memory-snapshot.ts';

const DAYS = [1, 2, 3, 4, 5];

export interface FiveReleases {
  /** Where they are kept. A test may put another target in its place. */
  target: MemoryTarget;
  /** Id of the release of a day; that of day 5 is live. */
  readonly release: (day: number) => string;
  /** Goes back on a day: to the release before the live one, or to the one whose id is given. */
  readonly goBack: (day: number, to?: string) => Promise<Rollback>;
  readonly liveRelease: () => Promise<string | undefined>;
  /** Stores that a Worker answers, after reading every part and chunk of the live release. */
  readonly servedStores: () => Promise<number>;
}

/** The stores of the release of a day: each day one goes and another comes. */
export function storesOfDay(day: number) {
  return storesFrom(day, day + 20);
}

/** Prepares each test of a file. */
export function useFiveReleases(): FiveReleases {
  const ids = new Map<number, string>();
  const kept: FiveReleases = {
    target: new MemoryTarget(),
    release: (day) => ids.get(day) ?? '',
    goBack: (day, to) => {
      kept.target.time = dayOfJanuary(day).getTime();
      const signature = { by: 'ops', note: null };
      return rollBack(kept.target, { release: to ?? null, signature });
    },
    liveRelease: async () => kept.target.pointer?.manifest.release,
    servedStores: async () => {
      const holder = new ReleaseHolder(sourceOf(kept.target), { refreshInterval: 0 });
      const background = new TestBackground();
      const held = await holder.current(background);
      const parts = Object.keys(held.manifest.parts).filter((name) => !UNHELD_PARTS.includes(name));
      await held.load(parts, background);
      const all = Array.from({ length: held.storeCount }, (_, store) => store);
      return (await held.withRecords(all, background, (records) => records)).indexes.length;
    },
  };
  const published = new MemoryTarget();
  beforeAll(async () => {
    for (const day of DAYS) ids.set(day, await publishStores(published, storesOfDay(day), day));
    published.writes.length = 0;
  });
  beforeEach(() => {
    kept.target = published.fork();
  });
  return kept;
}
