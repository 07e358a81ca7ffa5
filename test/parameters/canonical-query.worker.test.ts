/** Canonical texts and entity tags: equal for equal queries, different for different ones. */
import { describe, expect, it } from 'vitest';
import { entityTag, hasAnswer } from '../../src/http/caching.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import { askedBy } from '../support/worker/query-faults.ts';

const list = (query: string): string => readQuery(LIST_QUERY, query).canonical;
const get = (query: string): string => readQuery(STORE_QUERY, query).canonical;

describe('canonical text of a list', () => {
  it.each([
    ['', 'skip=0&limit=100'],
    [
      'lang=fr&skip=1&sort=name,slug&fields=id,slug,id&limit=5',
      'limit=5&fields[]=slug&fields=id&sort%5B%5D=name&sort=slug&skip=1&lang=fr',
    ],
    ['fields=profile', 'fields=profile.name,profile'],
  ])('"%s" is "%s"', (a, b) => {
    expect(list(b)).toBe(list(a));
    expect(askedBy(b)).toEqual(askedBy(a));
  });

  it('is different for each of these', () => {
    const queries = [
      ...['', 'skip=1', 'limit=1', 'lang=fr', 'fields=id', 'fields=id,slug', 'fields=profile'],
      ...['sort=name', 'sort=slug', 'sort=name__desc', 'sort=name,slug', 'sort=name,slug__desc'],
      ...['sort=name,externalRating', 'sort=externalRating,name', 'sort=id__desc'],
      ...['sort=name,id__desc', 'fields=profile.name'],
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
    expect(hasAnswer(new Headers({ 'if-none-match': condition }), '"a"')).toBe(expected);
  });
});
