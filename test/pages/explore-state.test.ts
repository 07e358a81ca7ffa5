/**
 * The state of `/explore`: the address that brings it back, what is asked of the service for it, and how a walk
 * of requests comes together.
 */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Area } from '../../client/src/query.ts';
import { searchOf } from '../../client/src/search.ts';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { addressOf, FIRST_STATE, readAddress } from '../../web/explore/browser/model/address.ts';
import { curlLine } from '../../web/explore/browser/model/client-code.ts';
import {
  type ExploreQuery,
  type Found,
  type ListedStore,
  type Point,
  storesQuery,
} from '../../web/explore/browser/model/found.ts';
import { type ExploreState, ORDERS, type Place } from '../../web/explore/browser/model/state.ts';
import { search } from '../../web/explore/browser/service/search.ts';
import type { Service } from '../../web/explore/browser/service/service.ts';
import { askedBy } from '../support/worker/query-faults.ts';

const NEAR_PARIS =
  '#position.latitude=48.86&position.longitude=2.35&position.radius=50&verticale.in=BIKE,CAR' +
  '&language.in=fr,en&country.in=France,United%20Kingdom&openAt=now&place=Paris';

/** Degrees or kilometres as the page writes them; no address holds a negative zero. */
const decimal = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((hundredths) => (hundredths + 0) / 100);

const place = fc.record({
  latitude: decimal(-90, 90),
  longitude: decimal(-180, 180),
  radius: decimal(0, 50),
  name: fc.constantFrom(null, 'Lyon', 'Saint-Étienne & more'),
});

const states: fc.Arbitrary<ExploreState> = fc
  .record({
    place: fc.option(place),
    words: fc.constantFrom('', 'vélo mars', '50% & more'),
    verticales: fc.shuffledSubarray([...VERTICALES]),
    languages: fc.shuffledSubarray([...LANGUAGES]),
    countries: fc.subarray(['France', 'United Kingdom', '__proto__']),
    isOpenNow: fc.boolean(),
    order: fc.option(fc.constantFrom(...ORDERS)),
    store: fc.option(fc.stringMatching(/^[0-9a-f]{24}$/)),
    view: fc.option(
      fc.record({
        zoom: decimal(0, 13),
        latitude: decimal(-85, 85),
        longitude: decimal(-180, 180),
      }),
    ),
  })
  .map((state) => (state.place ? { ...state, words: '' } : state));

describe('the address of a state', () => {
  it('brings back all of it', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(readAddress(addressOf(state))).toEqual(state);
      }),
    );
  });

  it('reads like a query of the service, keeps within its limits, and is empty for the first one', () => {
    expect(addressOf(FIRST_STATE)).toBe('#');
    for (const radius of [50, 900]) {
      const address = NEAR_PARIS.replace('50', `${radius}`);
      expect(addressOf(readAddress(address))).toBe(NEAR_PARIS);
    }
  });

  it.each([
    '',
    'position.latitude=91&position.longitude=2&position.radius=3',
    'position.latitude=48',
    'verticale.in=SPACESHIP&language.in=xx&order=weight&openAt=yesterday',
    'store=../etc&map=1,2&country.in=-,ʼ',
    'token=sk_test_0123456789abcdefghijkl&%ff',
  ])('leaves out whatever is not understood: %s', (text) => {
    expect(readAddress(text)).toEqual(FIRST_STATE);
  });
});

describe('the requests of a state', () => {
  it('are understood by the service, with everything that was chosen', () => {
    const conditionsOf = (state: ExploreState, area: Area | null) =>
      askedBy(searchOf(storesQuery(state, area))).conditions;
    expect(conditionsOf(readAddress(NEAR_PARIS), [1, 2, 3, 4])).toEqual([
      'verticales=BIKE,CAR;',
      'languages=en,fr',
      'countries=france,united%20kingdom',
      expect.stringContaining('openAt='),
      'position=48.86,2.35,50',
    ]);
    expect(conditionsOf(FIRST_STATE, [170, -20, 190, 20])).toEqual(['bbox=170,-20,-170,20']);
    expect(conditionsOf({ ...FIRST_STATE, words: 'Vélo' }, null)).toEqual(['q=velo']);
  });

  it('keep the token out of a shell line, and a quote within its quotes', () => {
    expect(curlLine("https://stores.example?q=l'atelier")).toBe(
      `curl -H "x-access-token: $TOKEN" 'https://stores.example?q=l'\\''atelier'`,
    );
  });
});

describe('a search', () => {
  /**
   * Searches among stores that lie in any large area; their pages say that there are `total`, and come from one
   * release after the other.
   * @returns what was found, step by step, and what each page was asked by
   */
  async function searchAmong(
    stores: readonly ListedStore[],
    {
      total = stores.length,
      releases = 1,
      lineFree = Promise.resolve(),
      place = null as Place | null,
    } = {},
  ) {
    const asked: string[] = [];
    const steps: Found[] = [];
    const service = {
      async *pages({ position, bbox, limit = 0 }: ExploreQuery) {
        const isSmall = position || (bbox && bbox[3] - bbox[1] < 2);
        const matching = isSmall ? [] : stores;
        for (let start = 0; start === 0 || start < matching.length; start += limit) {
          asked.push(position ? 'radius' : bbox ? 'area' : 'all');
          const docs = matching.slice(start, start + limit);
          yield { release: `${asked.length % releases}`, total: docs.length && total, docs };
        }
      },
    } as unknown as Service;
    const state = { ...FIRST_STATE, place };
    await search(service, state, null, (found) => steps.push(found), lineFree, {
      signal: new AbortController().signal,
      onWait: () => {},
    });
    return { steps, asked };
  }

  const storeAt = (index: number, point: Point = { lat: 0, lng: 0 }): ListedStore => ({
    id: `${index}`,
    slug: `store-${index}`,
    // Without a name the page shows the slug.
    profile: { name: ' ', verticales: [] },
    geo: { location: { point, components: { city: '' } } },
    reviews: { external: null },
    temporal: { timezone: 'UTC' },
  });
  const stores = Array.from({ length: 5_150 }, (_, index) => storeAt(index));

  it.each([
    { count: 1_234, steps: [100, 200, 400, 800, 1_234] },
    { count: 5_150, steps: [100, 200, 400, 800, 1_600, 3_200, 5_000] },
    // Ten were taken away meanwhile.
    { count: 130, counted: 140, total: 130, steps: [100, 130] },
  ])(
    'tells of the first stores at once, then ever more rarely, up to five thousand, in their order: $count',
    async ({ count, counted = count, total = count, steps }) => {
      const told = await searchAmong(stores.slice(0, count), { total: counted });
      expect(told.steps.map((step) => step.stores.length)).toEqual(steps);
      const found = told.steps.at(-1);
      expect(found).toMatchObject({ total, isComplete: true });
      const slugs = stores.slice(0, steps.at(-1)).map(({ slug }) => slug);
      expect(found?.stores.map(({ name }) => name)).toEqual(slugs);
    },
  );

  it('leaves the line to the map after the first page', async () => {
    const line = Promise.withResolvers<void>();
    const searched = searchAmong(stores.slice(0, 101), { lineFree: line.promise });
    expect(await Promise.race([searched, setImmediate('waits')])).toBe('waits');
    line.resolve();
    await searched;
  });

  it('begins again once where a page comes from another release', async () => {
    const { steps, asked } = await searchAmong(stores.slice(0, 250), { releases: 2 });
    expect(asked).toHaveLength(5);
    expect(steps.at(-1)?.stores).toHaveLength(250);
  });

  it('around a place that has no store finds the nearest ones, in areas that grow', async () => {
    const north = (kilometres: number) => ({ lat: 45 + kilometres / 111.2, lng: 9 });
    // The second lies in a corner of the area: others outside of it may be nearer.
    const points = [north(100), { lat: 46.4, lng: 11.1 }, north(-48), north(120)];
    const place = { latitude: 45, longitude: 9, radius: 20, name: null };
    const far = points.map((point, index) => storeAt(index, point));
    const { asked, steps } = await searchAmong(far, { place });
    expect(asked).toEqual(['radius', 'area', 'area']);
    expect(steps).toMatchObject([{ total: 3, isBeyond: true, isComplete: true }]);
    const distances = steps[0]?.stores.map(({ distance }) => Math.round(distance ?? 0));
    expect(distances).toEqual([48, 100, 120]);
  });
});
