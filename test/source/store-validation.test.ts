/** Validating one store: every kind of fault with its line, store, path and value, and no other. */
import { describe, expect, it } from 'vitest';
import { ndjson, storeWith, validate } from '../support/faulty-sources.ts';
import { buildLocation, buildStore, storeId } from '../support/stores/store-builder.ts';
import { STORE_CASES } from './support/store-cases.ts';

describe('a fault within a store', () => {
  it.each(STORE_CASES)('%s = %j is %s', async (path, value, kind, message) => {
    const { good, faults } = await validate(
      ndjson([buildStore(1), storeWith(2, { [path]: value }), buildStore(3)]),
    );
    const store = path === 'id' ? 'a0' : storeId(2);
    const shown = value === undefined ? null : JSON.stringify(value);
    expect(faults).toEqual([{ kind, line: 2, element: null, store, path, value: shown, message }]);
    expect(good.map(({ line }) => line)).toEqual([1, 3]);
  });

  it('a number too large for JSON readers is out of range', async () => {
    const text = JSON.stringify(buildStore(1)).replace('"value":20', '"value":1e999');
    expect((await validate(text)).faults).toMatchObject([
      {
        kind: 'out_of_range',
        path: 'pricing.tax.value',
        value: 'Infinity',
        message: 'expected a number from 0 to 100',
      },
    ]);
  });

  it('names a rental point slug used twice, and where it was first', async () => {
    const rentalPoints = ['a', 'b', 'a'].map((slug) => buildLocation(slug, 48, 7));
    const { faults } = await validate(ndjson([storeWith(1, { 'geo.rentalPoints': rentalPoints })]));
    expect(faults).toMatchObject([
      {
        kind: 'duplicate_rental_point_slug',
        path: 'geo.rentalPoints.2.slug',
        value: '"a"',
        message: 'expected a slug of its own: rentalPoints.0 has it already',
      },
    ]);
  });

  it('names a rental point slug that the main location has, whether or not they are shown', async () => {
    for (const displayAddress of [true, false]) {
      const geo = {
        displayAddress,
        main: buildLocation('a', 48, 7),
        rentalPoints: ['b', 'a', 'A'].map((slug) => buildLocation(slug, 48, 7)),
      };
      const { faults } = await validate(ndjson([storeWith(1, { geo })]));
      expect(faults).toMatchObject([
        {
          kind: 'duplicate_rental_point_slug',
          path: 'geo.rentalPoints.1.slug',
          value: '"a"',
          message: 'expected a slug of its own: main has it already',
        },
      ]);
    }
  });

  it('is found in the links of reviews', async () => {
    const time = '2024-05-06T07:08:09Z';
    const author = { name: 'A', profilePictureUrl: 'data:image/png;base64,AA' };
    const reviews = [{ author, comment: '', rating: 5, publishTime: time }];
    const mapsUrl = 'JavaScript:alert(1)';
    const external = { rating: 5, total: 1, placeId: 'p', reviews, mapsUrl, updatedAt: time };
    const { faults } = await validate(ndjson([storeWith(1, { 'reviews.external': external })]));
    expect(faults.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'bad_format reviews.external.mapsUrl',
      'bad_format reviews.external.reviews.0.author.profilePictureUrl',
    ]);
  });

  it('is not made of links that are empty, relative or of the web', async () => {
    const links = ['', '/logo.png', '//img.example/1', 'HTTP://img.example', 'https://é.example'];
    const stores = links.map((link, index) => storeWith(index + 1, { 'branding.logoURL': link }));
    expect((await validate(ndjson(stores))).faults).toEqual([]);
  });

  it('does not hide another, whatever the two are', async () => {
    const rentalPoints: unknown[] = ['a', 'b', 'a'].map((slug) => buildLocation(slug, 48, 7));
    rentalPoints.push(null, { ...buildLocation('b', 48, 7), name: 5 });
    const store = storeWith(1, {
      'geo.rentalPoints': rentalPoints,
      'geo.main.point.lat': 100,
      'localization.default': 'de',
      'localization.available': ['fr', 'xx'],
      'localization.current': 'fr',
      'temporal.timezone': 'Mars/Base',
      'temporal.schedule.closedRanges': [{ id: 'c', from: 'x', to: null, why: 'y' }],
      'pricing.currency.isoCode': '€',
      'pricing.tax.name': { en: 1, xx: 'x', yy: 'y' },
      slug: '/ /',
      pageUrl: undefined,
    });
    const { faults } = await validate(ndjson([store]));
    expect(faults.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'bad_format slug',
      'bad_format temporal.schedule.closedRanges.0.from',
      'default_language_unavailable localization.default',
      'duplicate_rental_point_slug geo.rentalPoints.2.slug',
      'duplicate_rental_point_slug geo.rentalPoints.4.slug',
      'missing_field pageUrl',
      'not_in_enumeration localization.available.1',
      'out_of_range geo.main.point.lat',
      'unknown_currency pricing.currency.isoCode',
      'unknown_key localization.current',
      'unknown_key temporal.schedule.closedRanges.0.why',
      'unknown_language pricing.tax.name.xx',
      'unknown_language pricing.tax.name.yy',
      'unknown_time_zone temporal.timezone',
      'wrong_type geo.rentalPoints.3',
      'wrong_type geo.rentalPoints.4.name',
      'wrong_type pricing.tax.name.en',
      'wrong_type temporal.schedule.closedRanges.0.to',
    ]);
  });

  it('shows long values short', async () => {
    const { faults } = await validate(
      ndjson([
        storeWith(1, {
          pageUrl: 'x'.repeat(1000),
          'profile.name': { text: 'x', more: [1] },
          'pricing.tax.name': ['VAT'],
        }),
      ]),
    );
    expect(faults.map(({ value }) => value).sort()).toEqual([
      `"${'x'.repeat(58)}…`,
      'array of 1',
      'object with text, more',
    ]);
  });
});
