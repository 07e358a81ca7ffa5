/** Which stores deliver to a point, from where and for how much: each sentence of the rule by an example. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { findStores, partsForList } from '../../src/query/find-stores.ts';
import { Scratch } from '../../src/query/scratch.ts';
import { DELIVERY_ASKED, deliveryOf } from '../support/conditions/delivery.ts';
import { HeldSource } from '../support/held-source.ts';
import { compileStores } from '../support/stores/compiled-stores.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';
import { randomStores } from '../support/stores/random-stores.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { storeAt } from '../support/stores/store-variants.ts';

type Delivery = SourceStore['modules']['delivery'];
type City = Delivery['excludedCities'][number];

const PUBLISHED_AT = '2026-01-01T00:00:00Z';
/** On a meridian, a hundredth of a degree. */
const KILOMETRES = (6371 * Math.PI) / 18_000;

async function open(stores: readonly SourceStore[]) {
  const source = new HeldSource();
  const manifest = await source.publish(stores, PUBLISHED_AT);
  const release = new LoadedRelease(
    { number: 1, manifest, publishedAt: PUBLISHED_AT },
    new SnapshotMemory(source),
  );
  const slugs = stores
    .toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1))
    .map(({ slug }) => slug);
  /** Each store found, as `slug location distance price`. */
  return async (query: string) => {
    const { query: asked } = readQuery(LIST_QUERY, query);
    await release.load(partsForList(asked), new TestContext());
    const { stores: found, locations, added } = findStores(release, asked, new Scratch());
    return Array.from(found, (store, position) => ({
      slug: slugs[store],
      locationIndex: locations?.[position],
      distance: added[position]?.distance,
      deliveryPrice: added[position]?.deliveryPrice,
    }));
  };
}

const range = (min: number, max: number, price: number, ...specific: [number, ...City[]][]) => ({
  min,
  max,
  price,
  specificPrices: specific.map(([special, ...cities]) => ({ price: special, cities })),
});

const city = (zipCode: string, cityName: string, hasMultiplePostcodeLocalities = false): City => ({
  ...{ zipCode, cityName, hasMultiplePostcodeLocalities },
  ...{ sublocalityName: 'Bellecour', placeId: 'pl_1' },
});

function delivering(store: SourceStore, delivery: Partial<Delivery>): SourceStore {
  const { modules } = buildStore();
  const own = { ...modules.delivery, enabled: true, ...delivery };
  return { ...store, modules: { ...modules, delivery: own } };
}

const at = (latitude: number, longitude: number, more = '') =>
  `delivery.latitude=${latitude}&delivery.longitude=${longitude}${more}`;

const EVERYWHERE = [range(0, 100_000, 5)];

/** Prices of one store at [0, 0], by what was sent beside a point there. */
async function pricesOf(delivery: Partial<Delivery>, ...sent: string[]) {
  const ask = await open([delivering(storeAt(1, [0, 0]), delivery)]);
  const found = await Promise.all(sent.map((more) => ask(at(0, 0, more))));
  return found.map(([first]) => first?.deliveryPrice);
}

describe('a store delivers to a point', () => {
  it('unless it hides its locations, or delivery is not enabled', async () => {
    const shown = storeAt(1, [0, 0]);
    const hidden = { ...storeAt(2, [0, 0]), geo: { ...shown.geo, displayAddress: false } };
    const ask = await open([
      delivering(shown, { ranges: EVERYWHERE }),
      delivering(hidden, { ranges: EVERYWHERE }),
      delivering(storeAt(3, [0, 0]), { ranges: EVERYWHERE, enabled: false }),
      delivering(storeAt(4, [0, 0]), { ranges: [] }),
      delivering(storeAt(5, [0, 0]), { ranges: EVERYWHERE, deliveryOnly: true }),
    ]);
    expect((await ask(at(1, 1))).map(({ slug }) => slug)).toEqual(['store-1', 'store-5']);
  });

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

  it('by its nearest location alone', async () => {
    const ranges = [range(2, 3, 5)];
    const ask = await open([
      // The main location is in range; the nearest one is not, nor is the range of the other store's main.
      delivering(storeAt(1, [0.02, 0], [0.01, 0]), { ranges }),
      delivering(storeAt(2, [0.03, 0], [0.02, 0]), { ranges }),
    ]);
    const [found, ...others] = await ask(at(0, 0));
    expect(found).toMatchObject({ slug: 'store-2', locationIndex: 1, deliveryPrice: 5 });
    expect(found?.distance).toBeCloseTo(2 * KILOMETRES, 3);
    expect(others).toEqual([]);
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

describe('an excluded town', () => {
  const EXCLUDED: readonly (readonly [entry: City, sent: string, isThePlace: boolean])[] = [
    [city('42 000', 'Saint-Étienne'), '', false],
    [city('42 000', 'Saint-Étienne'), '42000', true],
    [city('42 000', 'Saint-Étienne'), '42000|Lyon', true],
    [city('42 000', 'Saint-Étienne'), '69001|Saint-Étienne', false],
    [city('42 000', 'Saint-Étienne'), '|SAINT ETIENNE', true],
    [city('42 000', 'Saint-Étienne'), '|Etienne Saint', false],
    [city('42 000', 'Saint-Étienne'), '|Saint', false],
    [city('NL-1012 AB', ''), 'nl1012ab', true],
    [city('NL-1012 AB', ''), '|Amsterdam', false],
    // The code has several towns.
    [city('42000', 'Saint-Étienne', true), '42000', true],
    [city('42000', 'Saint-Étienne', true), '42000|saint etienne', true],
    [city('42000', 'Saint-Étienne', true), '42000|Lyon', false],
    [city('42000', '', true), '42000|Lyon', false],
    [city('42000', 'Saint-Étienne', true), '|saint etienne', true],
    [city('42000', 'Saint-Étienne', true), '69001|saint etienne', false],
    // Without letter or digit a code is none.
    [city(' - ', 'Saint-Étienne'), '42000|saint etienne', true],
    [city('', 'Saint-Étienne'), '42000', false],
    [city('', 'Saint-Étienne', true), '42000|saint etienne', true],
    // Words count in their order, repeated ones too.
    [city('', 'Baden-Baden'), '|baden baden', true],
    [city('', 'Baden-Baden'), '|Baden', false],
    [city('', 'Baden'), '|Baden-Baden', false],
    [city('', "L'Aquila"), '|lʼaquila', true],
    // Neither a part of the city nor the id of the place decides.
    [city('', 'Lyon'), '|Bellecour', false],
  ];

  it.each(EXCLUDED)('%o is the place "%s": %s', async (entry, sent, isThePlace) => {
    const [code, name] = sent.split('|');
    const more = Object.entries({ postalCode: code, city: name })
      .filter(([, value]) => value)
      .map(([key, value]) => `&delivery.${key}=${encodeURIComponent(value as string)}`)
      .join('');
    const excludedCities = [city('99999', 'Elsewhere'), entry];
    const [excluded] = await pricesOf({ ranges: EVERYWHERE, excludedCities }, more);
    expect(excluded).toBe(isThePlace ? undefined : 5);
    // A special price holds for the same places.
    const ranges = [range(0, 1, 5, [3, city('99999', 'Elsewhere'), entry])];
    expect(await pricesOf({ ranges }, more)).toEqual([isThePlace ? 3 : 5]);
  });
});

describe('the price', () => {
  const lyon = city('69001', 'Lyon');
  const sent = '&delivery.city=Lyon';

  it('is that of the first range, in the order of the export, that holds the distance', async () => {
    const ranges = [range(1, 9, 1), range(0, 20, 4), range(0, 1, 2)];
    expect(await pricesOf({ ranges }, '')).toEqual([4]);
  });

  it('is the first special one of that range whose cities have the place', async () => {
    const paris = city('', 'Paris');
    const ranges = [
      range(5, 9, 1, [8, lyon]),
      range(0, 1, 4, [7, paris], [0, paris, lyon], [6, lyon]),
      range(0, 1, 3, [2, lyon]),
    ];
    expect(await pricesOf({ ranges }, sent, '', '&delivery.city=Nice')).toEqual([0, 4, 4]);
  });

  it('is none where the town is excluded, whatever special price it has', async () => {
    const ranges = [range(0, 1, 4, [7, lyon])];
    expect(await pricesOf({ ranges, excludedCities: [lyon] }, sent, '')).toEqual([undefined, 4]);
  });

  it('leaves free delivery to the partner', async () => {
    const freeDelivery = { activated: true, type: 'SUBTOTAL', value: 0 } as const;
    expect(await pricesOf({ ranges: EVERYWHERE, freeDelivery }, '')).toEqual([5]);
  });

  it.each([1e21, 1e-7, 0.1, 5e-324])('is as the export has it: %d', async (price) => {
    expect(await pricesOf({ ranges: [range(0, 1, price)] }, '')).toEqual([price]);
  });
});

describe('the order', () => {
  it('is that of distances, or by price whatever the currency, then of ids', async () => {
    const store = (number: number, latitude: number, price: number, isoCode: string) => ({
      ...delivering(storeAt(number, [latitude, 0]), { ranges: [range(0, 900, price)] }),
      pricing: { ...buildStore().pricing, currency: { isoCode, symbol: '¤' } },
    });
    const ask = await open([
      store(1, 2, 9, 'EUR'),
      store(2, 1, 10, 'EUR'),
      store(3, 3, 9, 'JPY'),
      store(4, 1, 2, 'PLN'),
    ]);
    const order = async (more: string) =>
      (await ask(at(0, 0, more))).map(({ slug }) => slug?.at(-1)).join('');
    expect(await order('')).toBe('2413');
    expect(await order('&q=store')).toBe('2413');
    expect(await order('&sort=distance__desc')).toBe('3124');
    expect(await order('&sort=deliveryPrice')).toBe('4132');
    expect(await order('&sort=deliveryPrice__desc')).toBe('2134');
    expect(await order('&sort=deliveryPrice,distance__desc')).toBe('4312');
    expect(await order('&sort=pricing.currency.isoCode,deliveryPrice__desc')).toBe('2134');
  });
});

describe('the deliveries of hidden stores', () => {
  it('are in no index part but those that name the records', async () => {
    const hidden = (delivery: Partial<Delivery>) => {
      const store = delivering(storeAt(2, [1, 1]), delivery);
      return [
        delivering(storeAt(1, [0, 0]), { ranges: EVERYWHERE }),
        { ...store, geo: { ...store.geo, displayAddress: false } },
      ];
    };
    const ranges = [range(1, 2, 3, [4, city('69001', 'Lyon')])];
    const excludedCities = [city('75001', 'Paris')];
    const [one, other] = await Promise.all(
      [hidden({ ranges: EVERYWHERE }), hidden({ ranges, excludedCities })].map(compileStores),
    );
    const differing = Object.entries(one?.manifest.parts ?? {}).flatMap(([name, { hash }]) =>
      other?.manifest.parts[name]?.hash === hash ? [] : [name],
    );
    expect(differing).toEqual(['chunks', 'compared']);
  });
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
