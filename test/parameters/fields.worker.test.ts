/** The parameters that name fields of the store: what to sort by, and what to show. */
import { describe, expect, it } from 'vitest';
import { canonicalFields, FIELD_PATHS } from '../../src/model/field-paths.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { parseGetQuery, parseListQuery } from '../support/parse-query.ts';
import { codesOf, faultsOf, problemOf } from '../support/worker/query-faults.ts';

const fieldsOf = (query: string): string => {
  const { fields } = parseListQuery(query);
  return fields ? canonicalFields(fields) : 'all';
};

describe('sort', () => {
  const POSITION = 'position.latitude=1&position.longitude=2&position.radius=3';

  it.each(Object.entries(SORT_FIELDS))('takes %s, in both directions', (field, column) => {
    const sort = (entry: string) => parseListQuery(`${POSITION}&sort=${entry}`).sort;
    // By id ascending is how every order ends: no key says so.
    const ascending = field === 'id' ? [] : [{ column, descending: false }];
    expect(sort(field)).toEqual(ascending);
    expect(sort(`${field}__asc`)).toEqual(ascending);
    expect(sort(`${field}__desc`)).toEqual([{ column, descending: true }]);
  });

  it('keeps the order of keys, across styles', () => {
    const columns = (query: string) => parseListQuery(query).sort.map(({ column }) => column);
    expect(columns('sort=externalRating&sort=name,id__desc')).toEqual(['rating', 'name', 'id']);
    expect(columns('sort[]=name&sort[]=slug')).toEqual(['name', 'slug']);
  });

  it.each([
    ['', []],
    ['sort=id', []],
    ['sort=id,profile.name', []],
    ['sort=id__desc,name', ['id-']],
    ['sort=slug,id__desc', ['slug+']],
    ['sort=name,id', ['name+']],
    ['sort=name,id,slug', ['name+']],
    ['sort=name,slug__desc,externalRating', ['name+', 'slug-']],
    [POSITION, ['distance+']],
    [`${POSITION}&sort=distance`, ['distance+']],
    [`${POSITION}&sort=distance__asc,id`, ['distance+']],
    [`${POSITION}&sort=id`, []],
    [`${POSITION}&sort=name,distance__desc`, ['name+', 'distance-']],
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
        { parameter: 'sort', code: 'too_many_keys', detail },
      ]);
    }
    expect(codesOf(`sort=${four},localization.default,nope`)).toEqual([
      'unsortable_field sort',
      'too_many_keys sort',
    ]);
  });

  it.each([
    'lat',
    'profile',
    'profile.description',
    'nothing',
    'ID',
    'pageUrl__asc',
    '__asc',
    'constructor',
  ])('refuses %s and lists the sortable fields', (entry) => {
    const faults = faultsOf(`sort=${entry}`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ parameter: 'sort', code: 'unsortable_field' });
    for (const field of Object.keys(SORT_FIELDS)) expect(faults[0]?.detail).toContain(field);
  });

  it.each([
    ['-profile.name', 'profile.name__desc'],
    ['-name', 'profile.name__desc'],
    ['profile.name:desc', 'profile.name__desc'],
    ['externalRating ASC', 'reviews.external.rating__asc'],
  ])('%s is told that it is %s here', (text, entry) => {
    const [fault] = faultsOf(`sort=${text}`);
    expect(fault?.detail).toBe(`Expected ${entry}, got "${text}".`);
  });

  it.each([
    ['__proto__', '"__proto__"'],
    ['__asc', '"__asc"'],
    ['nothing__asc', '"nothing"'],
  ])('%s names %s as what cannot be sorted by', (entry, named) => {
    const [fault] = faultsOf(`sort=${entry}`);
    expect(fault?.detail).toContain(`Stores cannot be sorted by ${named}, only by`);
  });

  it.each(['name__up', 'name__ASC', 'name__', 'id__desc__asc'])(
    'refuses the suffix of %s',
    (entry) => {
      expect(codesOf(`sort=${entry}`)).toEqual(['unknown_direction sort']);
    },
  );

  it('by distance needs a position', () => {
    expect(codesOf('sort=distance')).toEqual(['position_required sort']);
    expect(codesOf('sort=name,distance__desc')).toEqual(['position_required sort']);
    expect(codesOf('sort=id,distance')).toEqual(['position_required sort']);
    expect(codesOf('sort=distance&position.latitude=1&position.radius=1')).toEqual([
      'missing_parameter position.longitude',
    ]);
  });
});

describe('fields', () => {
  it('takes every path of the response', () => {
    for (const path of FIELD_PATHS) expect(fieldsOf(`fields=${path}`)).toBe(path);
    for (const path of [
      'geo.locations.slug',
      'modules.delivery.ranges.specificPrices.cities.zipCode',
    ]) {
      expect(FIELD_PATHS).toContain(path);
    }
  });

  it('puts them in contract order and lets a field absorb its parts', () => {
    expect(fieldsOf('fields=slug,profile.name&fields[]=id')).toBe('id,slug,profile.name');
    expect(fieldsOf('fields=profile.name,profile')).toBe('profile');
  });

  it.each([
    ['profile.nam', 'profile.name'],
    ['geo.location.points', 'geo.location.point'],
    ['ID', 'id'],
    ['logoUrl', 'logoURL'],
    ['slgu', 'slug'],
    ['PageULR', 'pageUrl'],
    ['profile.naem', 'profile.name'],
    ['geo.locations.0.slug', 'geo.locations.slug'],
    ['city', 'geo.location.components.city'],
    ['geo.location.city', 'geo.location.components.city'],
    ['ISOCODE', 'pricing.currency.isoCode'],
    ['location.point', 'geo.location.point'],
    ['createdAt', 'metadata.timestamps.createdAt'],
  ])('refuses %s and suggests %s', (path, suggested) => {
    const faults = faultsOf(`fields=id,${path}`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ parameter: 'fields', code: 'unknown_field' });
    expect(faults[0]?.detail).toContain(`"${path}"`);
    expect(faults[0]?.detail).toContain(`Did you mean "${suggested}"?`);
    expect(problemOf(() => parseGetQuery(`fields=id,${path}`)).errors).toEqual(faults);
  });

  it.each(['*', 'toString', 'a', 'ity', 'geo.area.zone', 'guls'])('%s is like none', (path) => {
    expect(faultsOf(`fields=${path}`)).toEqual([
      { parameter: 'fields', code: 'unknown_field', detail: `A store has no field "${path}".` },
    ]);
  });

  it.each([
    'id.x',
    'geo.locations.0.slug',
    'geo.locations[].slug',
    'profile.',
    '.id',
    '*',
    'id id',
    'toString',
  ])('refuses %s', (path) => {
    expect(codesOf(`fields=${encodeURIComponent(path)}`)).toEqual(['unknown_field fields']);
  });
});
