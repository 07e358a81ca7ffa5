/**
 * How each condition of a list is read and refused, numbers and words with it; and that none is forgotten
 * where answers are told apart: a tag that leaves one out is a wrong 304, an order that is kept without one
 * is the list of another query.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { CONDITIONS, LIST_QUERY } from '../../src/http/query/list-query.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { ASKED, SAMPLES } from '../support/conditions/all.ts';
import { askedBy, codesOf, faultsOf } from '../support/worker/query-faults.ts';
import { find, publish } from './support/found-stores.ts';

const STORES = [...generateStores(60, { seed: 4, languages: 1 })];
/** What requests send, by parameter. */
const SENT = Object.values(ASKED).flatMap(({ draw, write }) =>
  fc.sample(draw(STORES), { seed: 4, numRuns: 500 }).map(write),
);
const NAMES = CONDITIONS.flatMap(({ shape }) => Object.keys(shape));

let fresh: () => LoadedRelease;

beforeAll(async () => {
  fresh = await publish(STORES);
});

async function answer(release: LoadedRelease, text: string) {
  const { total, stores, counts } = await find(release, text);
  return { total, stores: Array.from(stores), counts };
}

/** Returns two queries that differ in the value of a parameter alone, and in what they find. */
async function pairOf(name: string, beside: string) {
  const drawn = SENT.filter((sent) => name in sent);
  for (const [index, sent] of drawn.entries()) {
    const pair = [sent, { ...sent, [name]: drawn.at(index - 1)?.[name] ?? '' }].map((each) => {
      const texts = Object.entries(each).flatMap(([key, value]) =>
        [value].flat().map((text) => [key, text]),
      );
      return `${new URLSearchParams(texts)}&${beside}`;
    }) as [string, string];
    const [one, other] = await Promise.all(pair.map((query) => answer(fresh(), query)));
    if (!isDeepStrictEqual(one, other)) return pair;
  }
  throw new Error(`no two queries differ in ${name}`);
}

it.each(NAMES)(
  'the condition %s is told apart in tags, and in orders that are kept',
  async (name) => {
    // `after` goes with the default order alone, which needs a filter to be kept.
    for (const beside of name === 'after' ? ['verticale.notIn=EVENT'] : ['', 'sort=profile.name']) {
      const [first, second] = await pairOf(name, beside);
      const texts = [first, second, beside].map((query) => readQuery(LIST_QUERY, query).canonical);
      expect(new Set(texts).size).toBe(3);
      const expected = await answer(fresh(), second);
      const release = fresh();
      const other = await answer(release, first);
      await answer(release, beside);
      expect(await answer(release, second)).toEqual(expected);
      expect(await answer(release, first)).toEqual(other);
    }
  },
);

describe('what is sent', () => {
  it.each<readonly string[]>([
    [
      'lang=fr&skip=1&sort=name,slug&fields=id,slug,id&limit=5',
      'limit=5&fields[]=slug&fields=id&sort%5B%5D=name&sort=slug&skip=1&lang=fr',
    ],
    ['fields=profile', 'fields=profile.name,profile'],
    ...SAMPLES.flatMap(({ same }) => same ?? []),
  ])('%s means %s', (query = '', other = '') => {
    expect(readQuery(LIST_QUERY, other).canonical).toBe(readQuery(LIST_QUERY, query).canonical);
    expect(askedBy(other)).toEqual(askedBy(query));
  });

  it.each(SAMPLES.flatMap(({ read }) => read ?? []))('%s is read as %s', (query = '', text) => {
    expect(askedBy(query).conditions).toEqual([text]);
  });

  it.each(SAMPLES.flatMap(({ refused }) => refused ?? []))(
    '%s is refused',
    (query = '', ...faults) => {
      expect(codesOf(query)).toEqual(faults);
    },
  );

  it.each<readonly string[]>([
    ['limit=500', 'out_of_range limit', 'Expected 0 to 100, got "500".'],
    [
      'skip=9007199254740992',
      'out_of_range skip',
      'Expected 0 to 9007199254740991, got "9007199254740992".',
    ],
    [
      'limit=1.0',
      'malformed_value limit',
      'Expected a whole number, written in digits alone, got "1.0".',
    ],
    ...[
      ['FR', ' Did you mean "fr"?'],
      ['it-IT', ' Did you mean "it"?'],
      ...['xx', 'fr,en', '__proto__'].map((text) => [text, '']),
    ].map(([text, hint]) => [
      `lang=${text}`,
      'unknown_value lang',
      `Expected one of ${LANGUAGES.join(', ')}, got "${text}".${hint}`,
    ]),
    ...SAMPLES.flatMap(({ explained }) => explained ?? []),
  ])('%s is refused as %s: %s', (query = '', fault = '', detail = '') => {
    const [code, parameter] = fault.split(' ');
    expect(faultsOf(query)).toEqual([{ code, parameter, detail }]);
  });

  it.each(SAMPLES.flatMap(({ tried }) => tried ?? []))(
    '%s is unknown, and what does it is named: %s',
    (name, told) => {
      const detail = `There is no such parameter. ${told}`;
      expect(faultsOf(`${name}=true`)).toEqual([
        { parameter: name, code: 'unknown_parameter', detail },
      ]);
    },
  );
});
