/** What the oracle says of one store, against expectations worked out by hand. */
import { describe, expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { type Store, storeSchema } from '../../src/model/store.ts';
import { answerList, answerStore } from './oracle/answer.ts';
import { attributed } from './oracle/attribution.ts';
import { STORE_PATHS } from './oracle/contract.ts';
import type { GetParams } from './oracle/parameters.ts';
import { buildLocation, buildStore, storeId } from './stores/store-builder.ts';
import { hiddenRatedStore, hiddenStore, ratedStore, storeAt } from './stores/store-variants.ts';

function get(store: SourceStore, params: GetParams = {}): Store {
  return answerStore([store], store.slug, params) as Store;
}

function described(
  description: SourceStore['profile']['description'],
  fallback: 'fr' | 'en' | 'nl' | 'de',
): SourceStore {
  const store = buildStore();
  return {
    ...store,
    profile: { ...store.profile, description },
    localization: { default: fallback, available: [fallback, 'pl'] },
  };
}

describe('fields of the oracle', () => {
  it('are those of the response schema, in its order', () => {
    expect(STORE_PATHS).toEqual(FIELD_PATHS);
  });

  it('make a store of the response schema', () => {
    for (const store of [
      buildStore(),
      hiddenStore(1),
      storeAt(1, [0, 0], [1, 1]),
      ratedStore(1, 4.5, 3),
    ]) {
      expect(() => storeSchema.parse(get(store))).not.toThrow();
    }
  });

  it('come in contract order, whatever the order of the source', () => {
    const { profile, pageUrl, ...rest } = buildStore();
    const { name, ...others } = profile;
    const store = { pageUrl, ...rest, profile: { ...others, name } };
    expect(JSON.stringify(get(store))).toBe(JSON.stringify(get(buildStore())));
    expect(Object.keys(get(store)).slice(0, 5)).toEqual([
      'id',
      'slug',
      'profile',
      'localization',
      'contact',
    ]);
    expect(Object.keys(get(store)).slice(-11)).toEqual([
      ...['name', 'logoURL', 'bannerURL', 'currency', 'lat', 'lng', 'address'],
      ...['addressComponents', 'externalRating', 'externalReviewsNb', 'verticales'],
    ]);
  });

  it('are projected through objects, arrays and nulls', () => {
    const store = storeAt(1, [48, 7], [48.1, 7], [48.2, 7]);
    expect(get(store, { fields: ['geo.locations.slug', 'id'] })).toEqual({
      id: storeId(1),
      geo: { locations: [{ slug: 'point-1' }, { slug: 'point-2' }] },
    });
    expect(
      get(hiddenStore(1), { fields: ['geo.locations.slug', 'geo.location.point.lat'] }),
    ).toEqual({
      geo: { location: null, locations: null },
    });
    expect(get(store, { fields: ['reviews.external.rating'] })).toEqual({
      reviews: { external: null },
    });
    expect(get(store, { fields: ['temporal.schedule.closedRanges.from'] })).toEqual({
      temporal: { schedule: { closedRanges: [] } },
    });
  });

  it('take a whole object over parts of it, and order over the order asked for', () => {
    const text = JSON.stringify(get(buildStore(), { fields: ['profile.name', 'slug', 'profile'] }));
    expect(text).toBe(
      '{"slug":"store-1","profile":{"name":"Store 1","description":"Magasin 1","verticales":["BIKE"]}}',
    );
  });

  it('leave out optional ones that the store lacks', () => {
    expect(get(buildStore(), { fields: ['distance', 'rentalPointSlug'] })).toEqual({});
    expect(answerList([buildStore()], { fields: ['distance'] })).toEqual({ total: 1, docs: [{}] });
  });
});

describe('language of the oracle', () => {
  it.each([
    ['the one asked for', 'de', 'de'],
    ['French without the one asked for', 'pl', 'fr'],
    ['the default without lang', undefined, 'en'],
  ] as const)('is %s', (_, lang, current) => {
    const store = described({ en: 'E', de: 'D', fr: 'F' }, 'en');
    const answer = get(store, lang ? { lang } : {});
    expect(answer.localization).toEqual({ current, default: 'en', available: ['en', 'pl'] });
    expect(answer.profile.description).toBe({ en: 'E', de: 'D', fr: 'F' }[current]);
  });

  it('is the default without French, the first entry without either', () => {
    expect(get(described({ nl: 'N', en: 'E' }, 'en'), { lang: 'de' }).profile.description).toBe(
      'E',
    );
    const first = get(described({ nl: 'N', en: 'E' }, 'de'), { lang: 'pl' });
    expect(first.profile.description).toBe('N');
    expect(first.localization.current).toBe('nl');
  });

  it('reads other maps as current, French, default, first entry', () => {
    const store = described({ nl: 'N' }, 'de');
    const withTax = (name: SourceStore['pricing']['tax']['name']) =>
      get({ ...store, pricing: { ...store.pricing, tax: { ...store.pricing.tax, name } } }).pricing
        .tax.name;
    expect(withTax({ de: 'D', fr: 'F', nl: 'N' })).toBe('N');
    expect(withTax({ de: 'D', fr: '' })).toBe('');
    expect(withTax({ it: 'I', de: 'D' })).toBe('D');
    expect(withTax({ it: 'I', es: 'E' })).toBe('I');
    expect(withTax('plain')).toBe('plain');
  });

  it('reads labels and names of locations', () => {
    const store = storeAt(1, [48, 7], [48.1, 7]);
    const point = { ...buildLocation('p', 1, 2), name: { fr: 'Gare', en: 'Station' } };
    const durations = [{ id: 'd', minutes: 0, hours: 4, label: { en: 'Half day', fr: 'Demi' } }];
    const answer = get(
      {
        ...store,
        geo: { ...store.geo, rentalPoints: [point] },
        booking: { ...store.booking, fixedDurations: { enabled: true, durations } },
      },
      { lang: 'en' },
    );
    expect(answer.geo.locations?.map(({ name }) => name)).toEqual(['Station']);
    expect(answer.booking.fixedDurations.durations[0]?.label).toBe('Half day');
  });
});

describe('deprecated fields of the oracle', () => {
  it('mirror their replacements', () => {
    const answer = get(ratedStore(1, 4.5, 12));
    expect(answer).toMatchObject({
      name: 'Store 1',
      logoURL: 'https://img.example/1/logo.png',
      bannerURL: [],
      currency: { isoName: 'EUR', symbol: '€' },
      lat: 48.001,
      lng: 7.001,
      address: '1 Example Street, 67000 Town main-1',
      externalRating: 4.5,
      externalReviewsNb: 12,
      verticales: ['BIKE'],
    });
    expect(JSON.stringify(answer.addressComponents)).toBe(
      '{"administrativeAreaLevel1":"Region","administrativeAreaLevel2":"County","city":"Town main-1","country":"France","placeId":"place-main-1","postalCode":"67000","street":"Example Street","streetNumber":"1"}',
    );
    expect(get(buildStore())).toMatchObject({ externalRating: 0, externalReviewsNb: 0 });
  });

  it('follow the rental point asked for', () => {
    const answer = get(storeAt(1, [48, 7], [48.25, 7.5]), { rentalPointSlug: 'point-1' });
    expect(answer.rentalPointSlug).toBe('point-1');
    expect(answer.geo.location?.slug).toBe('point-1');
    expect([answer.lat, answer.lng, answer.addressComponents.city]).toEqual([
      48.25,
      7.5,
      'Town point-1',
    ]);
  });

  it('are empty when the address is hidden', () => {
    const answer = get(hiddenStore(1));
    expect(answer.geo).toEqual({ location: null, locations: null });
    expect([answer.lat, answer.lng, answer.address]).toEqual([0, 0, '']);
    expect(new Set(Object.values(answer.addressComponents))).toEqual(new Set(['']));
  });

  it('are zero, rating and number, without reviews', () => {
    const rated = get(hiddenRatedStore(1));
    expect([rated.externalRating, rated.externalReviewsNb]).toEqual([4, 2]);
    const unrated = get(hiddenStore(1));
    expect([unrated.externalRating, unrated.externalReviewsNb]).toEqual([0, 0]);
  });
});

describe('reviews of the oracle', () => {
  it('name their place, unless the address is hidden', () => {
    const { external } = get(ratedStore(1, 4, 2)).reviews;
    expect([external?.placeId, external?.mapsUrl]).toEqual(['p', 'm']);
    const hidden = get(hiddenRatedStore(1)).reviews.external;
    expect(hidden).toEqual({ ...external, placeId: '', mapsUrl: '' });
  });
});

describe('one store of the oracle', () => {
  it('is found by id in any case and by the exact slug', () => {
    const store = buildStore(1, { id: 'ABCDEFabcdef0123456789aB', slug: 'Shop' });
    expect(answerStore([store], 'abcdefABCDEF0123456789Ab', {})).not.toBeNull();
    expect(answerStore([store], 'Shop', {})).not.toBeNull();
    expect(answerStore([store], 'shop', {})).toBeNull();
    expect(answerStore([store], 'no', {})).toBeNull();
  });

  it('knows its rental points only, and none when its address is hidden', () => {
    const store = storeAt(1, [48, 7], [48.1, 7]);
    expect(answerStore([store], store.slug, { rentalPointSlug: 'main-1' })).toBeNull();
    expect(answerStore([store], store.slug, { rentalPointSlug: 'point-2' })).toBeNull();
    expect(answerStore([hiddenStore(1)], 'store-1', { rentalPointSlug: 'point-1' })).toBeNull();
  });
});

describe('attribution of the oracle', () => {
  const utm = { utm_source: 'acme', utm_campaign: 'a b&c' };

  it.each([
    ['https://x.test/a', 'https://x.test/a?utm_source=acme&utm_campaign=a%20b%26c'],
    ['https://x.test/a#f?g', 'https://x.test/a?utm_source=acme&utm_campaign=a%20b%26c#f?g'],
    ['https://x.test/?q=%20+', 'https://x.test/?q=%20+&utm_source=acme&utm_campaign=a%20b%26c'],
    [
      'https://x.test/?utm_source=old&b=1&utm%5Fsource=older&utm_medium=m',
      'https://x.test/?b=1&utm_medium=m&utm_source=acme&utm_campaign=a%20b%26c',
    ],
  ])('of %s', (pageUrl, expected) => {
    expect(attributed(pageUrl, utm)).toBe(expected);
  });

  it('changes nothing without parameters', () => {
    expect(attributed('https://x.test/?utm_source=1#a', {})).toBe('https://x.test/?utm_source=1#a');
  });
});
