/** What the oracle says of lists, against expectations worked out by hand. */
import { describe, expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Store } from '../../src/model/store.ts';
import { answerList } from './oracle/answer.ts';
import { kilometres } from './oracle/distance.ts';
import { byInstant } from './oracle/order.ts';
import type { ListParams } from './oracle/parameters.ts';
import { buildStore } from './stores/store-builder.ts';
import { hiddenStore, namedStore, ratedStore, storeAt } from './stores/store-variants.ts';

const FULL_TURN_OF_EARTH = 40_030.17359204114;

/** Numbers of the stores (see `storeId`) that a list answers, in order. */
function listed(stores: readonly SourceStore[], params: ListParams): number[] {
  const { docs } = answerList(stores, { ...params, fields: ['id'] });
  return docs.map((doc) => Number.parseInt((doc as Store).id, 16) - 0xa0_0000_0000);
}

describe('distance of the oracle', () => {
  it.each([
    ['a quarter of the equator', { lat: 0, lng: 0 }, { lat: 0, lng: 90 }, FULL_TURN_OF_EARTH / 4],
    ['pole to pole', { lat: 90, lng: 0 }, { lat: -90, lng: 77 }, FULL_TURN_OF_EARTH / 2],
    ['a degree over the antimeridian', { lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 111.195],
    ['Paris to Berlin', { lat: 48.8566, lng: 2.3522 }, { lat: 52.52, lng: 13.405 }, 877.463],
  ])('of %s', (_, a, b, expected) => {
    expect(kilometres(a, b)).toBeCloseTo(expected, 2);
    expect(kilometres(b, a)).toBe(kilometres(a, b));
  });

  it('is exactly zero between two names of one place', () => {
    expect(kilometres({ lat: 12, lng: 180 }, { lat: 12, lng: -180 })).toBe(0);
    const from = { lat: -0.0078125, lng: -179.7760823 };
    expect(kilometres(from, { lat: 0, lng: 180 })).toBe(kilometres(from, { lat: 0, lng: -180 }));
    expect(kilometres({ lat: 90, lng: 10 }, { lat: 90, lng: -123 })).toBe(0);
  });

  it('is rounded to metres', () => {
    const position = { latitude: 48, longitude: 7, radius: 50 };
    const { docs } = answerList([storeAt(1, [48.1, 7])], { position, fields: ['distance'] });
    expect(docs).toEqual([{ distance: 11.119 }]);
  });

  it('picks the nearest location, the main one first, then in order', () => {
    const slugs = (store: SourceStore) => {
      const position = { latitude: 10, longitude: 10, radius: 50 };
      const { docs } = answerList([store], { position });
      const doc = docs[0] as Store;
      return [doc.rentalPointSlug, doc.geo.location?.slug, doc.lat];
    };
    expect(slugs(storeAt(1, [10.2, 10], [10.1, 10]))).toEqual(['point-1', 'point-1', 10.1]);
    expect(slugs(storeAt(1, [10.1, 10], [10.1, 10]))).toEqual([undefined, 'main-1', 10.1]);
    expect(slugs(storeAt(1, [50, 10], [10.1, 10], [10.1, 10]))).toEqual([
      'point-1',
      'point-1',
      10.1,
    ]);
  });

  it('bounds the list, inclusively, and never lets hidden stores in', () => {
    const stores = [
      storeAt(1, [10, 10]),
      storeAt(2, [10.5, 10]),
      hiddenStore(3),
      storeAt(4, [60, 60], [10, 10]),
    ];
    const within = (latitude: number, longitude: number, radius: number) =>
      listed(stores, { position: { latitude, longitude, radius } });
    expect(within(10, 10, 0)).toEqual([1, 4]);
    expect(within(10, 10, 50)).toEqual([1, 4]);
    expect(within(10.25, 10, 28)).toEqual([1, 2, 4]);
    expect(within(48, 7, 50)).toEqual([]);
  });
});

describe('lists of the oracle', () => {
  const shops: SourceStore[] = [
    { ...buildStore(1), profile: { ...buildStore(1).profile, verticales: ['BIKE', 'SKI'] } },
    { ...buildStore(2), profile: { ...buildStore(2).profile, verticales: ['CAR'] } },
    { ...buildStore(3), profile: { ...buildStore(3).profile, verticales: [] } },
    { ...buildStore(4), profile: { ...buildStore(4).profile, verticales: ['SKI', 'CAR'] } },
  ];

  it.each([
    [{}, [1, 2, 3, 4]],
    [{ verticaleIn: ['BIKE', 'CAR'] }, [1, 2, 4]],
    [{ verticaleNotIn: ['BIKE', 'CAR'] }, [3]],
    [{ verticaleEquals: 'SKI' }, [1, 4]],
    [{ verticaleNotEquals: 'SKI' }, [2, 3]],
    [{ verticaleEquals: 'SKI', verticaleIn: ['CAR'] }, [4]],
    [{ verticaleIn: ['SKI', 'CAR'], verticaleNotIn: ['BIKE'], verticaleNotEquals: 'SKI' }, [2]],
  ] as [ListParams, number[]][])('filter by %j', (params, expected) => {
    expect(listed(shops, params)).toEqual(expected);
  });

  it.each([
    [{ skip: 1, limit: 2 }, [2, 3]],
    [{ skip: 3 }, [4]],
    [{ skip: 9 }, []],
    [{ limit: 0 }, []],
  ] as [ListParams, number[]][])('page by %j, with the same total', (params, expected) => {
    expect(listed(shops, params)).toEqual(expected);
    expect(answerList(shops, params).total).toBe(4);
  });

  it('are 100 long unless asked', () => {
    const stores = Array.from({ length: 120 }, (_, index) => buildStore(index + 1));
    expect(answerList(stores, { fields: ['id'] }).docs).toHaveLength(100);
  });

  it('sort names without case, with accents, numbers by value, ties by id', () => {
    const stores = ['velo 10', 'Vélo 2', 'VELO 2', 'velo 2', 'Ananas'].map((name, index) =>
      namedStore(index + 1, name),
    );
    expect(listed(stores, { sort: ['name'] })).toEqual([5, 3, 4, 2, 1]);
    expect(listed(stores, { sort: ['profile.name__desc'] })).toEqual([1, 2, 3, 4, 5]);
  });

  it('sort names by the collation of lang', () => {
    const stores = ['ñu', 'nz', 'oa'].map((name, index) => namedStore(index + 1, name));
    expect(listed(stores, { sort: ['name'] })).toEqual([1, 2, 3]);
    expect(listed(stores, { sort: ['name'], lang: 'es' })).toEqual([2, 1, 3]);
  });

  it('sort slugs and ids by code unit', () => {
    const stores = ['b', 'B', '\uff5e', '🚲', 'a10', 'a9'].map((slug, index) =>
      buildStore(index + 1, { slug }),
    );
    expect(listed(stores, { sort: ['slug'] })).toEqual([2, 5, 6, 1, 4, 3]);
    expect(listed(stores, { sort: ['id__desc'] })).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('sort missing ratings last in both directions, by either name', () => {
    const stores = [
      ratedStore(1, 4, 10),
      buildStore(2),
      ratedStore(3, 4.5, 0),
      ratedStore(4, 4, 2),
    ];
    expect(listed(stores, { sort: ['externalRating__asc'] })).toEqual([1, 4, 3, 2]);
    expect(listed(stores, { sort: ['reviews.external.rating__desc'] })).toEqual([3, 1, 4, 2]);
    expect(listed(stores, { sort: ['externalReviewsNb'] })).toEqual([3, 4, 1, 2]);
    expect(listed(stores, { sort: ['externalRating', 'externalReviewsNb'] })).toEqual([4, 1, 3, 2]);
  });

  it('sort times by instant', () => {
    const times = ['2024-01-01T00:30:00+01:00', '2023-12-31T23:00:00Z', '2024-01-01T00:00:00Z'];
    const stores = times.map((createdAt, index) =>
      buildStore(index + 1, { metadata: { timestamps: { createdAt } } }),
    );
    expect(listed(stores, { sort: ['metadata.timestamps.createdAt'] })).toEqual([2, 1, 3]);
    expect(byInstant('2024-01-01T00:00:00.0001Z', '2024-01-01T00:00:00.0002Z')).toBe(-1);
    expect(byInstant('2024-01-01T00:00:00.10Z', '2024-01-01T01:00:00.1+01:00')).toBe(0);
  });

  it('sort by distance before rounding, unless another key is given', () => {
    const stores = [
      storeAt(1, [10.000002, 10]),
      storeAt(2, [10.000001, 10]),
      storeAt(3, [10.1, 10]),
    ];
    const position = { latitude: 10, longitude: 10, radius: 50 };
    expect(listed(stores, { position })).toEqual([2, 1, 3]);
    expect(listed(stores, { position, sort: ['distance__desc'] })).toEqual([3, 1, 2]);
    expect(listed(stores, { position, sort: ['id'] })).toEqual([1, 2, 3]);
  });
});
