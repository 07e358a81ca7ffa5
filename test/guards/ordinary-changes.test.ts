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

/** What an editor does to a store, by how common it is; most of it concerns no guard. */
const EDITS: readonly (readonly [number, StoreChange])[] = [
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

const TOTAL = EDITS.reduce((sum, [weight]) => sum + weight, 0);

function editOf(random: Random): StoreChange {
  let dice = random.fraction() * TOTAL;
  for (const [weight, change] of EDITS) {
    dice -= weight;
    if (dice < 0) return change;
  }
  return rebranded;
}

function shuffled(stores: readonly SourceStore[], random: Random): SourceStore[] {
  const dealt = stores.map((store) => ({ store, card: random.bits() }));
  return dealt.sort((a, b) => a.card - b.card).map(({ store }) => store);
}

/** `share` of the stores rebranded, as many removed, and as many added from the pool. */
function nextExport(stores: readonly SourceStore[], share: number, random: Random): SourceStore[] {
  const count = Math.floor(stores.length * share);
  const order = shuffled(stores, random);
  const kept = order.slice(count);
  const next = kept.map((store, index) => (index < count ? editOf(random)(store) : store));
  const there = new Set(stores.map(({ id }) => id));
  const start = Math.floor(random.fraction() * POOL.length);
  const others = [...POOL.slice(start), ...POOL.slice(0, start)].filter(({ id }) => !there.has(id));
  return [...next, ...others.slice(0, count)];
}

describe('an ordinary change', () => {
  it(`is not refused: ${CHANGES} of 1 % to 10 %, each against a base of its own`, async () => {
    let changed = 0;
    const refused: string[] = [];
    for (let number = 0; number < CHANGES; number++) {
      const random = new Random(20261122, number);
      const size = FEWEST + Math.floor(random.fraction() * (MOST - FEWEST));
      const start = Math.floor(random.fraction() * (POOL.length - size));
      const dayAgo = POOL.slice(start, start + size);
      const share = 0.01 + 0.09 * random.fraction();
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
