/**
 * How each condition of a list is read and refused; and that none is forgotten where answers are told
 * apart: a tag that leaves one out is a wrong 304, an order that is kept without one is the list of another
 * query.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { CONDITIONS, LIST_QUERY } from '../../src/http/query/list-query.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { findStores, partsForList } from '../../src/query/find-stores.ts';
import { Scratch } from '../../src/query/scratch.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { SAMPLES } from '../support/conditions/all.ts';
import { HeldSource } from '../support/held-source.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';
import { askedBy, codesOf, faultsOf } from '../support/worker/query-faults.ts';

const PUBLISHED_AT = '2026-01-01T00:00:00Z';
const STORES = [...generateStores(60, { seed: 4, languages: 1 })];
/** Two queries of each parameter, which differ in its value alone. */
const PAIRS: Readonly<Record<string, readonly string[]>> = Object.assign(
  {},
  ...SAMPLES.map(({ pairs }) => pairs(STORES)),
);
const NAMES = CONDITIONS.flatMap(({ shape }) => Object.keys(shape));

let memory: SnapshotMemory;
let manifest: PublishedManifest;

beforeEach(async () => {
  const source = new HeldSource();
  memory = new SnapshotMemory(source);
  manifest = await source.publish(STORES, PUBLISHED_AT);
});

const fresh = () => new LoadedRelease({ number: 1, manifest, publishedAt: PUBLISHED_AT }, memory);

async function answer(release: LoadedRelease, text: string) {
  const { query } = readQuery(LIST_QUERY, text);
  await release.load(partsForList(query), new TestContext());
  const { total, stores, counts } = findStores(release, query, new Scratch());
  return { total, stores: Array.from(stores), counts };
}

describe('every condition', () => {
  it('is tried here', () => {
    expect(Object.keys(PAIRS).sort()).toEqual([...NAMES].sort());
  });

  it.each(NAMES)('%s is part of the canonical text', (name) => {
    const texts = [...(PAIRS[name] ?? []), ''].map(
      (query) => readQuery(LIST_QUERY, query).canonical,
    );
    expect(new Set(texts).size).toBe(3);
  });

  it.each(NAMES)('%s is no part of an order that is kept for another value', async (name) => {
    // `after` goes with the default order alone, which needs a filter to be kept.
    for (const sort of name === 'after' ? ['verticale.notIn=EVENT'] : ['', 'sort=profile.name']) {
      const [first = '', second = ''] = (PAIRS[name] ?? []).map((query) => `${query}&${sort}`);
      const expected = await answer(fresh(), second);
      const release = fresh();
      const other = await answer(release, first);
      expect(other).not.toEqual(expected);
      await answer(release, sort);
      expect(await answer(release, second)).toEqual(expected);
      expect(await answer(release, first)).toEqual(other);
    }
  });
});

describe('what is sent', () => {
  it.each<readonly [query: string, other: string]>([
    [
      'lang=fr&skip=1&sort=name,slug&fields=id,slug,id&limit=5',
      'limit=5&fields[]=slug&fields=id&sort%5B%5D=name&sort=slug&skip=1&lang=fr',
    ],
    ['fields=profile', 'fields=profile.name,profile'],
    ...SAMPLES.flatMap(({ same }) => same ?? []),
  ])('%s means %s', (query, other) => {
    expect(readQuery(LIST_QUERY, other).canonical).toBe(readQuery(LIST_QUERY, query).canonical);
    expect(askedBy(other)).toEqual(askedBy(query));
  });

  it.each(SAMPLES.flatMap(({ read }) => read ?? []))('%s is read as %s', (query, text) => {
    expect(askedBy(query).conditions).toEqual([text]);
  });

  it.each(SAMPLES.flatMap(({ refused }) => refused ?? []))('%s is refused', (query, ...faults) => {
    expect(codesOf(query)).toEqual(faults);
  });

  it.each(SAMPLES.flatMap(({ explained }) => explained ?? []))(
    '%s is refused as %s: %s',
    (query, fault, detail) => {
      const [code = '', parameter] = fault.split(' ');
      expect(faultsOf(query)).toEqual([{ code, parameter, detail }]);
    },
  );

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
