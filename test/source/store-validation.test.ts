/** Validating one store: every kind of fault with its line, store, path and value, and no other. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeAt } from '../../fixtures/changed-store.ts';
import { FULL_STORE, MINIMAL_STORE } from '../../fixtures/example-stores.ts';
import { sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { issueFaults } from '../../scripts/source/fault.ts';
import { sourceFields, sourceJsonSchema } from '../../scripts/source/source-schema.ts';
import { ndjson, validate } from '../support/faulty-sources.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { randomStores } from '../support/stores/random-stores.ts';
import { buildLocation, buildStore, storeId } from '../support/stores/store-builder.ts';
import { STORE_CASES } from './support/store-cases.ts';

const ajv = new Ajv2020({ strictTypes: false });
addFormats.default(ajv);
const isValidBySchema = ajv.compile(sourceJsonSchema());

/** Kinds of faults that the JSON Schema does not tell, but the form of a code. */
const BEYOND = new Set([
  ...['default_language_unavailable', 'unknown_time_zone', 'unknown_currency'],
  'duplicate_rental_point_slug',
]);

/** Links may be empty or relative, days may be none of the month, and letters may be written otherwise. */
const isUntold = (value: unknown, message: string) =>
  /^expected (?:no URL but|Unicode NFC)/.test(message) || String(value).startsWith('2023-02-29');

/** What a message names to be written. */
const EXAMPLE = /(?<=\bas )\S+$/;

const locations = (...slugs: string[]) => slugs.map((slug) => buildLocation(slug, 48, 7));

describe('a fault within a store', () => {
  it.each(STORE_CASES)('%s = %j is %s', async (path, value, kind, message) => {
    const rentalPoints = { 'geo.rentalPoints': locations('a', 'b', 'c') };
    const store = buildStore(2, { ...rentalPoints, [path]: value });
    const { good, faults } = await validate(ndjson([buildStore(1), store, buildStore(3)]));
    const id = path === 'id' ? 'a0' : storeId(2);
    const shown = value === undefined ? null : JSON.stringify(value);
    const place = { line: 2, element: null, store: id };
    expect(faults).toEqual([{ kind, ...place, path, value: shown, message }]);
    expect(good.map(({ line }) => line)).toEqual([1, 3]);
    if (value === 'eur' || !BEYOND.has(kind)) {
      expect(isValidBySchema(store)).toBe(isUntold(value, message));
    }
    const [example] = EXAMPLE.exec(message) ?? [];
    if (example === undefined) return;
    const mended = await validate(ndjson([buildStore(2, { [path]: example })]));
    expect(mended.faults).toEqual([]);
  });

  const time = '2024-05-06T07:08:09Z';
  const author = { name: 'A', profilePictureUrl: 'data:image/png;base64,AA' };
  const reviews = [{ author, comment: '', rating: 5, publishTime: time }];
  const external = { rating: 5, total: 1, placeId: 'p', reviews, updatedAt: time };

  it.each<[where: string, changes: Record<string, unknown>, faults: string[]]>([
    [
      'in links of reviews',
      { 'reviews.external': { ...external, mapsUrl: 'JavaScript:alert(1)' } },
      [
        'bad_format reviews.external.mapsUrl',
        'bad_format reviews.external.reviews.0.author.profilePictureUrl',
      ],
    ],
    [
      'in the slug of a rental point that the main location has, hidden too',
      { 'geo.displayAddress': false, 'geo.rentalPoints': locations('b', 'main-1', 'MAIN-1') },
      ['duplicate_rental_point_slug geo.rentalPoints.1.slug'],
    ],
    [
      'in the default language, where none is available',
      { 'localization.available': [] },
      ['default_language_unavailable localization.default'],
    ],
    [
      'nowhere in links that are empty, relative or of the web',
      {
        'branding.banners.urls': [
          ...['', '/logo.png', '//img.example/1', 'HTTP://img.example', 'https://é.example'],
        ],
      },
      [],
    ],
    [
      'beside all others',
      {
        'geo.rentalPoints': [...locations('a', 'a'), null],
        'localization.default': 'de',
        'localization.available': ['fr', 'xx'],
        'temporal.timezone': 'Mars/Base',
        'temporal.schedule.closedRanges': [{ id: 'c', from: 'x', to: null, why: 'y' }],
        'pricing.tax.name': { en: 1, xx: 'x', yy: 'y' },
        slug: '/ /',
        pageUrl: undefined,
      },
      [
        'bad_format slug',
        'bad_format temporal.schedule.closedRanges.0.from',
        'default_language_unavailable localization.default',
        'duplicate_rental_point_slug geo.rentalPoints.1.slug',
        'missing_field pageUrl',
        'not_in_enumeration localization.available.1',
        'unknown_key temporal.schedule.closedRanges.0.why',
        'unknown_language pricing.tax.name.xx',
        'unknown_language pricing.tax.name.yy',
        'unknown_time_zone temporal.timezone',
        'wrong_type geo.rentalPoints.2',
        'wrong_type pricing.tax.name.en',
        'wrong_type temporal.schedule.closedRanges.0.to',
      ],
    ],
  ])('is found %s', async (_where, changes, expected) => {
    const { faults } = await validate(ndjson([buildStore(1, changes)]));
    const told = faults.map(({ kind, path, message }) => `${kind} ${path}: ${message}`).sort();
    expect(told).toEqual(expected.map((words) => expect.stringContaining(words)));
  });

  it('shows long values short', async () => {
    const long = {
      pageUrl: 'x'.repeat(1000),
      'profile.name': { text: 'x', more: [1] },
      'pricing.tax.name': ['VAT'],
    };
    const { faults } = await validate(ndjson([buildStore(1, long)]));
    expect(faults.map(({ value }) => value).sort()).toEqual([
      `"${'x'.repeat(58)}…`,
      'array of 1',
      'object with text, more',
    ]);
  });
});

/** Types that messages ask for, and what has them. */
const TYPES: readonly (readonly [asked: RegExp, has: (value: unknown) => boolean])[] = [
  [/^expected (?:a )?string/, (value) => typeof value === 'string'],
  [/^expected number(?! to be)/, (value) => typeof value === 'number'],
  [/^expected int/, Number.isInteger],
  [/^expected boolean/, (value) => typeof value === 'boolean'],
  [/^expected array/, Array.isArray],
  [/^expected object/, (value) => Object.prototype.toString.call(value) === '[object Object]'],
  [/or null$/, (value) => value === null],
];

it('a message asks for what the value is not yet, whatever field has whatever value', () => {
  const values = [
    ...[null, true, 0, -1, 1.5, 1e6, [], {}, [1], { fr: 1 }, '', '0', '1', 'true', 'fr', 'BIKE'],
    ...['eur', '9:00', '24:00', 'BST', '2021-04-12T08:30Z', '2021-04-12', 'a.example', 'a b'],
  ];
  // One field of each kind.
  const fields = new Map(
    sourceFields().map(({ path, schema: { description, ...schema }, isNullable }) => {
      return [JSON.stringify([schema, isNullable]), path.replaceAll('*', '0')];
    }),
  );
  let count = 0;
  for (const field of fields.values()) {
    for (const value of values) {
      const store = changeAt(FULL_STORE, field, () => value);
      const { error } = sourceStoreSchema.safeParse(store);
      for (const { path, message } of issueFaults(error?.issues ?? [], store)) {
        if (path !== field) continue;
        count++;
        const shown = JSON.stringify(value);
        const words = `${shown}: ${message}`;
        for (const [asked, has] of TYPES)
          if (asked.test(message)) expect(has(value), words).toBe(false);
        const [, list] = /^expected one of (".*?)(?:, or null)?$/.exec(message) ?? [];
        if (list) expect(list.split('|'), words).not.toContain(shown);
      }
    }
  }
  expect(count).toBeGreaterThan(500);
});

it('the JSON Schema takes every good store', () => {
  for (const store of [...FIXTURE_STORES, MINIMAL_STORE, FULL_STORE]) {
    expect(isValidBySchema(store), JSON.stringify(isValidBySchema.errors)).toBe(true);
  }
  fc.assert(
    fc.property(randomStores, (stores) => stores.every((store) => isValidBySchema(store))),
    { numRuns: 50, seed: 20261122 },
  );
});
