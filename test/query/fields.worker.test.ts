/** The parameters that name fields of the store: what to sort by, and what to show. */
import { describe, expect, it } from 'vitest';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { parseGetQuery, parseListQuery } from '../support/parse-query.ts';
import { codesOf, faultsOf, problemOf } from '../support/worker/query-faults.ts';

describe('sort', () => {
  const POSITION = 'position.latitude=1&position.longitude=2&position.radius=3';
  const DELIVERY = 'delivery.latitude=1&delivery.longitude=2';

  it.each([
    ['', []],
    ['sort=id,profile.name', []],
    ['sort=id__desc,name', ['id-']],
    ['sort=slug,id__desc', ['slug+']],
    ['sort=name,id,slug', ['name+']],
    ['sort=name,slug__desc,externalRating', ['name+', 'slug-']],
    [POSITION, ['distance+']],
    [`${POSITION}&sort=distance__asc,id`, ['distance+']],
    [`${POSITION}&sort=id`, []],
    [`${POSITION}&sort=name,distance__desc`, ['name+', 'distance-']],
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
  ])('%s is told that it is %s here', (text, entry) => {
    const [fault] = faultsOf(`sort=${text}`);
    expect(fault?.detail).toBe(`Expected ${entry}, got "${text}".`);
  });

  it.each(['name__up', 'name__ASC', 'name__', 'id__desc__asc'])(
    'refuses the suffix of %s',
    (entry) => {
      expect(codesOf(`sort=${entry}`)).toEqual(['unknown_value sort']);
    },
  );

  it('by price of delivery needs a delivery point', () => {
    for (const query of ['', `${POSITION}&`]) {
      expect(codesOf(`${query}sort=name,deliveryPrice__desc`)).toEqual([
        'delivery_point_required sort',
      ]);
    }
    expect(codesOf('sort=deliveryPrice&delivery.latitude=1')).toEqual([
      'missing_parameter delivery.longitude',
    ]);
  });

  it('by distance needs a position or a delivery point', () => {
    expect(codesOf('sort=name,distance__desc')).toEqual(['position_required sort']);
    expect(codesOf('sort=id,distance')).toEqual(['position_required sort']);
    expect(codesOf('sort=distance&position.latitude=1&position.radius=1')).toEqual([
      'missing_parameter position.longitude',
    ]);
  });
});

describe('fields', () => {
  it.each([
    ['profile.nam', 'profile.name'],
    ['logoUrl', 'logoURL'],
    ['slgu', 'slug'],
    ['geo.locations.0.slug', 'geo.locations.slug'],
    ['city', 'geo.location.components.city'],
    ['geo.location.city', 'geo.location.components.city'],
    ['location.point', 'geo.location.point'],
  ])('refuses %s and suggests %s', (path, suggested) => {
    const faults = faultsOf(`fields=id,${path}`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ parameter: 'fields', code: 'unknown_value' });
    expect(faults[0]?.detail).toContain(`"${path}"`);
    expect(faults[0]?.detail).toContain(`Did you mean "${suggested}"?`);
    expect(problemOf(() => parseGetQuery(`fields=id,${path}`)).errors).toEqual(faults);
  });

  it.each(['*', 'toString', 'a', 'geo.area.zone', 'guls', 'id id'])('%s is like none', (path) => {
    expect(faultsOf(`fields=${encodeURIComponent(path)}`)).toEqual([
      {
        parameter: 'fields',
        code: 'unknown_value',
        detail: `Expected the path of a field of a store, got "${path}".`,
      },
    ]);
  });

  it.each(['id.x', 'geo.locations[].slug', 'profile.', '.id'])('refuses %s', (path) => {
    expect(codesOf(`fields=${encodeURIComponent(path)}`)).toEqual(['unknown_value fields']);
  });
});
