/** The parameters that name fields of the store: what to sort by, and what to show. */
import { describe, expect, it } from 'vitest';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { codesOf, faultsOf, parseListQuery } from '../support/worker/query-faults.ts';

describe('sort', () => {
  const POSITION = 'position.latitude=1&position.longitude=2&position.radius=3';
  const DELIVERY = 'delivery.latitude=1&delivery.longitude=2';

  it.each([
    ['', []],
    ['sort=id,profile.name', []],
    ['sort=id__desc,name', ['id-']],
    ['sort=name,id,slug', ['name+']],
    ['sort=name,slug__desc,externalRating', ['name+', 'slug-']],
    [POSITION, ['distance+']],
    [`${POSITION}&sort=id`, []],
    [DELIVERY, ['distance+']],
    [`${DELIVERY}&q=bike`, ['distance+']],
    [`${DELIVERY}&sort=deliveryPrice__desc,distance`, ['deliveryPrice-', 'distance+']],
  ])('of "%s" is decided to be %o', (query, expected) => {
    const { sort } = parseListQuery(query);
    expect(sort.map(({ column, descending }) => column + (descending ? '-' : '+'))).toEqual(
      expected,
    );
  });

  it('takes four different columns, whatever follows a unique one', () => {
    const four = 'name,externalRating,externalReviewsNb,temporal.timezone';
    const detail = 'Lists are sorted by at most 4 fields, got 5.';
    expect(parseListQuery(`sort=${four}`).sort).toHaveLength(4);
    expect(parseListQuery(`sort=${four},profile.name__desc,name`).sort).toHaveLength(4);
    expect(parseListQuery(`sort=slug,${four}`).sort).toHaveLength(1);
    for (const fifth of ['slug', 'id', 'currency.isoName', 'pricing.currency.isoCode']) {
      expect(faultsOf(`sort=${four},${fifth}`)).toEqual([
        { parameter: 'sort', code: 'too_many', detail },
      ]);
    }
    expect(codesOf(`sort=${four},localization.default,nope`)).toEqual([
      'unknown_value sort',
      'too_many sort',
    ]);
  });

  it.each(['lat', 'profile', 'ID', 'nothing__asc', '__asc', '__proto__'])(
    'refuses %s, and lists what stores can be sorted by',
    (entry) => {
      const [fault, ...others] = faultsOf(`sort=${entry}`);
      expect(others).toEqual([]);
      expect(fault).toMatchObject({ parameter: 'sort', code: 'unknown_value' });
      expect(fault?.detail).toContain(`with __asc or __desc, got "${entry}".`);
      for (const field of Object.keys(SORT_FIELDS)) expect(fault?.detail).toContain(field);
    },
  );

  it.each([
    ['-profile.name', 'profile.name__desc'],
    ['profile.name:desc', 'profile.name__desc'],
    ['externalRating ASC', 'reviews.external.rating__asc'],
    ['name__up', 'name__asc or name__desc'],
    ['name__ASC', 'name__asc or name__desc'],
    ['name__', 'name__asc or name__desc'],
    ['id__desc__asc', 'id__asc or id__desc'],
  ])('%s is told that it is %s here', (text, entry) => {
    const detail = `Expected ${entry}, got "${text}".`;
    const fault = { parameter: 'sort', code: 'unknown_value', detail };
    expect(faultsOf(`sort=${text}`)).toEqual([fault]);
  });

  it.each([
    ['sort=name,distance__desc', 'position_required sort'],
    ['sort=distance&position.latitude=1&position.radius=1', 'missing_parameter position.longitude'],
    ['sort=name,deliveryPrice__desc', 'delivery_point_required sort'],
    [`${POSITION}&sort=name,deliveryPrice__desc`, 'delivery_point_required sort'],
    ['sort=deliveryPrice&delivery.latitude=1', 'missing_parameter delivery.longitude'],
  ])('of %s needs a place: %s', (query, fault) => {
    expect(codesOf(query)).toEqual([fault]);
  });
});

it.each<readonly [path: string, suggested: string]>([
  ['profile.nam', 'profile.name'],
  ['logoUrl', 'logoURL'],
  ['slgu', 'slug'],
  ['geo.locations.0.slug', 'geo.locations.slug'],
  ['geo.location.city', 'geo.location.components.city'],
  ['location.point', 'geo.location.point'],
  ['geo.locations[].slug', 'geo.locations.slug'],
  ['profile.', 'profile'],
  ...['*', 'toString', 'geo.area.zone', 'guls', 'id.x'].map((path) => [path, 'nothing'] as const),
])('fields refuses %s and suggests %s', (path, suggested) => {
  const hint = suggested === 'nothing' ? '' : ` Did you mean "${suggested}"?`;
  const detail = `Expected the path of a field of a store, got "${path}".${hint}`;
  const fault = { parameter: 'fields', code: 'unknown_value', detail };
  const query = `fields=id,${encodeURIComponent(path)}`;
  expect(faultsOf(query)).toEqual([fault]);
  expect(faultsOf(query, STORE_QUERY)).toEqual([fault]);
});
