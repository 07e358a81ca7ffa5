/** Canonical texts and entity tags: equal for equal queries, different for different ones. */
import { describe, expect, it } from 'vitest';
import { entityTag, ifNoneMatchHits } from '../../src/http/entity-tag.ts';
import { GET_PARAMETERS } from '../../src/http/query/get-parameters.ts';
import { LIST_PARAMETERS } from '../../src/http/query/list-parameters.ts';
import { askedBy } from '../support/worker/query-faults.ts';

const list = (query: string): string => LIST_PARAMETERS.parse(query).canonical;
const get = (query: string): string => GET_PARAMETERS.parse(query).canonical;

describe('canonical text of a list', () => {
  it.each([
    ['', 'skip=0&limit=100'],
    [
      'lang=fr&skip=1&sort=name,slug&fields=id,slug,id&limit=5',
      'limit=5&fields[]=slug&fields=id&sort%5B%5D=name&sort=slug&skip=1&lang=fr',
    ],
    [
      `verticale.in=CAR,BIKE&verticale.notIn=SKI,BOAT&id.in=${'a'.repeat(24)},${'b'.repeat(24)}`,
      `id.in[]=${'B'.repeat(24)}&id.in[]=${'A'.repeat(24)}&verticale.notIn=BOAT&verticale.notIn=SKI&verticale.in=BIKE,CAR`,
    ],
    ['', 'sort=id,profile.name'],
    ['sort=name,slug', 'sort=profile.name__asc,slug,externalRating,id__desc'],
    ['fields=profile', 'fields=profile.name,profile'],
    ['verticale.notIn=SKI', 'verticale.notEquals=SKI'],
    [`after=${'aB'.repeat(12)}`, `after=${'Ab'.repeat(12)}`],
    ['country.in=España,france', 'country.in=FRANCE&country.in=espana'],
    [
      'language.in=de,fr&facets=languages,countries',
      'facets=countries,languages&language.in=fr,de',
    ],
    ['bbox=-0,1.0,2,3', 'bbox=0,1,2e0,3'],
    ['openAt=2026-07-01T18:30Z', 'openAt=2026-07-01T20:30:00.0004%2B02:00'],
    ['q=velo lyon', 'q=%20LYON%2C%20V%C3%A9lo+lyon'],
    [
      'position.latitude=-0&position.longitude=1.50&position.radius=5',
      'position.radius=5.0&position.longitude=1.5&position.latitude=0&sort=distance__asc',
    ],
    [
      'position.latitude=1e-7&position.longitude=1.5E1&position.radius=5e0',
      'position.latitude=0.0000001&position.longitude=15&position.radius=5',
    ],
  ])('"%s" is "%s"', (a, b) => {
    expect(list(b)).toBe(list(a));
    expect(askedBy(b)).toEqual(askedBy(a));
  });

  it('is different for each of these', () => {
    const queries = [
      ...['', 'skip=1', 'limit=1', 'lang=fr', 'fields=id', 'fields=id,slug', 'fields=profile'],
      ...['sort=name', 'sort=slug', 'sort=name__desc', 'sort=name,slug', 'sort=name,slug__desc'],
      ...['sort=name,externalRating', 'sort=externalRating,name', 'sort=id__desc'],
      ...['sort=name,id__desc', 'fields=profile.name', 'facets=languages', 'facets=countries'],
      ...['verticale.in=BIKE', 'verticale.notIn=BIKE', 'verticale.equals=BIKE'],
      'position.latitude=1&position.longitude=2&position.radius=3',
      'position.latitude=1&position.longitude=2&position.radius=3&sort=id',
    ];
    const tags = queries.map((query) => entityTag('r', list(query), ''));
    expect(new Set(tags).size).toBe(queries.length);
  });
});

describe('canonical text of one store', () => {
  it('depends neither on the order of parameters nor on the style of arrays', () => {
    const text = get('fields=id,slug&lang=fr&rentalPointSlug=a%20b');
    expect(get('rentalPointSlug=a+b&fields[]=slug&lang=fr&fields=id')).toBe(text);
  });

  it('cannot be forged by a slug', () => {
    const slug = encodeURIComponent('a&fields=id&lang=fr');
    expect(get(`rentalPointSlug=${slug}`)).not.toBe(get('rentalPointSlug=a&fields=id&lang=fr'));
    expect(get('')).not.toBe(get('rentalPointSlug=null'));
  });
});

describe('entity tags', () => {
  it('are strong, and differ by content, query and attribution', () => {
    const tags = [
      entityTag('a', 'q', ''),
      entityTag('b', 'q', ''),
      entityTag('a', 'r', ''),
      entityTag('a', 'q', '["x",null,null]'),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    for (const tag of tags) expect(tag).toMatch(/^"[0-9a-z]-[0-9a-f]{16}"$/);
    expect(entityTag('a', 'q', '')).toBe(tags[0]);
  });

  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['*', true],
    [' * ', true],
    ['"b", "a"', true],
    ['"b,"  ,  "a"', true],
    ['"b"', false],
    ['a', false],
    ['"*"', false],
    ['"b", *', false],
    ['"a', false],
    ['', false],
  ])('If-None-Match: %s', (condition, expected) => {
    expect(ifNoneMatchHits(condition, '"a"')).toBe(expected);
  });
});
