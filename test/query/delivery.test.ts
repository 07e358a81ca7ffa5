/**
 * Which stores deliver to a point, from where and for how much: as the oracle says of random stores, and by
 * examples where chance seldom leads.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed } from '../../fixtures/changed-store.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { DELIVERY_ASKED, deliveryOf } from '../support/conditions/delivery.ts';
import { compileStores } from '../support/stores/compiled-stores.ts';
import { randomStores } from '../support/stores/random-stores.ts';
import { storeAt } from '../support/stores/store-variants.ts';
import { find, publish } from './support/found-stores.ts';

type Delivery = SourceStore['modules']['delivery'];
type City = Delivery['excludedCities'][number];

/** On a meridian, a hundredth of a degree. */
const KILOMETRES = (6371 * Math.PI) / 18_000;

async function open(stores: readonly SourceStore[]) {
  const release = (await publish(stores))();
  const slugs = stores
    .toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1))
    .map(({ slug }) => slug);
  /** Each store found, as `slug location distance price`. */
  return async (query: string) => {
    const { stores: found, locations, added } = await find(release, query);
    return Array.from(found, (store, position) => ({
      slug: slugs[store],
      locationIndex: locations?.[position],
      distance: added[position]?.distance,
      deliveryPrice: added[position]?.deliveryPrice,
    }));
  };
}

const range = (min: number, max: number, price: number, ...cities: City[]) => ({
  ...{ min, max, price },
  specificPrices: [{ price: price + 1, cities }],
});

const city = (zipCode: string, cityName: string): City => ({
  ...{ zipCode, cityName, hasMultiplePostcodeLocalities: false },
  ...{ sublocalityName: '', placeId: 'pl_1' },
});

function delivering(store: SourceStore, delivery: Partial<Delivery>): SourceStore {
  const own = { ...store.modules.delivery, enabled: true, ...delivery };
  return changed(store, { 'modules.delivery': own });
}

const at = (latitude: number, longitude: number) =>
  `delivery.latitude=${latitude}&delivery.longitude=${longitude}`;

describe('a store delivers to a point', () => {
  it.each([
    ['at the least distance', KILOMETRES, 9, true],
    ['at the greatest', 0, KILOMETRES, true],
    ['less than half a millimetre beyond it', 0, KILOMETRES - 0.4e-6, true],
    ['a millimetre beyond it', 0, KILOMETRES - 1e-6, false],
    ['a millimetre before the least', KILOMETRES + 1e-6, 9, false],
  ])('%s', async (_where, min, max, isFound) => {
    const ask = await open([delivering(storeAt(1, [0.01, 0]), { ranges: [range(min, max, 5)] })]);
    expect(await ask(at(0, 0))).toHaveLength(isFound ? 1 : 0);
  });

  it('around the globe, and opposite on it', async () => {
    const ranges = [range(14_000, 50_000, 7)];
    // geokdbush finds no number for the distance of the second.
    const [lat, opposite] = [-48.61143899293847, 48.611438992938446];
    const ask = await open([
      delivering(storeAt(1, [0, 180]), { ranges }),
      delivering(storeAt(2, [lat, 180]), { ranges }),
      delivering(storeAt(3, [90, 12]), { ranges }),
    ]);
    expect((await ask(at(0, 0))).map(({ slug }) => slug)).toEqual(['store-2', 'store-1']);
    for (const point of [at(0, 0), at(opposite, 0), at(-90, -170)]) {
      const farthest = (await ask(point)).at(-1);
      expect(farthest?.distance, point).toBeCloseTo(6371 * Math.PI, 3);
    }
  });
});

it('the deliveries of hidden stores are in no index part but those that name the records', async () => {
  const everywhere = [range(0, 100_000, 5)];
  const hidden = (delivery: Partial<Delivery>) => {
    const shown = delivering(storeAt(2, [1, 1]), delivery);
    return [
      delivering(storeAt(1, [0, 0]), { ranges: everywhere }),
      changed(shown, { 'geo.displayAddress': false }),
    ];
  };
  const ranges = [range(1, 2, 3, city('69001', 'Lyon'))];
  const excludedCities = [city('75001', 'Paris')];
  const [one, other] = await Promise.all(
    [hidden({ ranges: everywhere }), hidden({ ranges, excludedCities })].map(compileStores),
  );
  const differing = Object.entries(one?.manifest.parts ?? {}).flatMap(([name, { hash }]) =>
    other?.manifest.parts[name]?.hash === hash ? [] : [name],
  );
  expect(differing).toEqual(['chunks', 'compared']);
});

it('random stores deliver to their own towns as the oracle says', async () => {
  for (const stores of fc.sample(randomStores, { seed: 41, numRuns: 12 })) {
    const near = stores.filter(({ modules }) => modules.delivery.enabled);
    const ask = await open(stores);
    for (const point of fc.sample(DELIVERY_ASKED.delivery.draw(near), { seed: 41, numRuns: 150 })) {
      const query = new URLSearchParams(DELIVERY_ASKED.delivery.write(point)).toString();
      const found = await ask(`${query}&sort=slug&limit=100`);
      const expected = stores
        .flatMap((store) => {
          const delivery = deliveryOf(store, point);
          return delivery ? [{ slug: store.slug, ...delivery }] : [];
        })
        .sort((a, b) => (a.slug < b.slug ? -1 : 1));
      expect(found.length, query).toBe(expected.length);
      for (const [index, { distance = 0, ...others }] of found.entries()) {
        const { distance: wanted, ...rest } = expected[index] as (typeof expected)[number];
        expect(others, query).toEqual(rest);
        expect(distance).toBeCloseTo(wanted, 3);
      }
    }
  }
});
