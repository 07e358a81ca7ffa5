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

/** What an editor does to a store, by how common it is; most of it concerns no guard. */
const EDITS: readonly (readonly [weight: number, StoreChange])[] = [
  [60, rebranded],
  [15, (store) => withName(`${store.profile.name} & Co.`)(store)],
  [15, (store) => withDescription(`New in ${store.geo.main.components.city}`)(store)],
  [4, at(({ lat, lng }) => ({ lat: lat * 0.9999, lng }))],
  [2, hidden],
  [1, withName('Rent & Ride')],
  [1, withDescription('')],
  [1, withoutVerticales],
  // One shop in a few hundred that change moves house.
  [0.3, at(({ lat, lng }) => ({ lat: lat * 0.9, lng }))],
];

const WEIGHTS = EDITS.map(([weight]) => weight);

const editOf = (random: Random): StoreChange => EDITS[random.weighted(WEIGHTS)]?.[1] ?? rebranded;

/** `share` of the stores edited, as many removed, and as many added from the pool. */
function nextExport(stores: readonly SourceStore[], share: number, random: Random): SourceStore[] {
  const count = Math.floor(stores.length * share);
  const kept = random.sample(stores, stores.length).slice(count);
  const next = kept.map((store, index) => (index < count ? editOf(random)(store) : store));
  const there = new Set(stores.map(({ id }) => id));
  const others = POOL.filter(({ id }) => !there.has(id));
  return [...next, ...random.sample(others, count)];
}

describe('an ordinary change', () => {
  it(`is not refused: ${CHANGES} of 1 % to 10 %, each against a base of its own`, async () => {
    let changed = 0;
    const refused: string[] = [];
    for (let number = 0; number < CHANGES; number++) {
      const random = new Random(20261122, number);
      const size = random.integer(5, 400);
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
