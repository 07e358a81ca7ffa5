/** What happens to exports every day is not refused, however the dice fall. ORDINARY_CHANGES sets how many. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../fixtures/generator/random.ts';
import { generateStores } from '../../fixtures/generator/store.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import {
  at,
  hidden,
  rebranded,
  type StoreChange,
  withDescription,
  withName,
  withoutVerticales,
} from './support/export-changes.ts';
import { GuardStage, namesOf } from './support/guard-stage.ts';

const CHANGES = Number(process.env.ORDINARY_CHANGES ?? 30);
const POOL = [...generateStores(1_500, { seed: 11, languages: 2 })];
const FEWEST = 5;
const MOST = 400;

/** What an editor seldom does to a store, by its chance; else something that concerns no guard. */
const EDITS: readonly (readonly [number, StoreChange])[] = [
  [0.15, (store) => withName(`${store.profile.name} & Co.`)(store)],
  [0.18, (store) => withDescription(`New in ${store.geo.main.components.city}`)(store)],
  [0.06, at(({ lat, lng }) => ({ lat: lat * 0.9999, lng }))],
  [0.03, hidden],
  [0.015, withName('Rent & Ride')],
  [0.015, withDescription('')],
  [0.015, withoutVerticales],
  // One shop in a few hundred that change moves house.
  [0.004, at(({ lat, lng }) => ({ lat: lat * 0.9, lng }))],
];

/** `share` of the stores edited, as many removed, and as many added from the pool. */
function nextExport(stores: readonly SourceStore[], share: number, random: Random): SourceStore[] {
  const count = Math.floor(stores.length * share);
  const [gone, edited] = [random.sample(stores, count), random.sample(stores, count)];
  const edit = (store: SourceStore) =>
    (EDITS.find(([chance]) => random.chance(chance))?.[1] ?? rebranded)(store);
  const kept = stores.filter((store) => !gone.includes(store));
  const there = new Set(stores.map(({ id }) => id));
  const others = POOL.filter(({ id }) => !there.has(id));
  return [
    ...kept.map((store) => (edited.includes(store) ? edit(store) : store)),
    ...random.sample(others, count),
  ];
}

describe('an ordinary change', () => {
  it(`is not refused: ${CHANGES} of 1 % to 10 %, each against a base of its own`, async () => {
    let changed = 0;
    const refused: string[] = [];
    for (let number = 0; number < CHANGES; number++) {
      const random = new Random(20261122, number);
      const size = random.integer(FEWEST, MOST);
      const dayAgo = random.sample(POOL, size);
      const share = random.decimal(0.01, 0.1, 3);
      const live = nextExport(dayAgo, share, random);
      const next = nextExport(live, share, random);
      changed += Math.floor(size * share);
      const stage = new GuardStage();
      const found = [
        ...(await stage.judged(next, live, dayAgo)),
        ...(await stage.judged(dayAgo, null)),
      ];
      if (found.length > 0) refused.push(`${number}: ${size} stores, ${namesOf(found).join(', ')}`);
    }
    expect(refused).toEqual([]);
    expect(changed).toBeGreaterThan(8 * CHANGES);
  });
});
