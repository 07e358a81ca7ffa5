/**
 * No condition of a list may be forgotten where answers are told apart: a tag that leaves one out is a
 * wrong 304, an order that is kept without one is the list of another query.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { CONDITIONS, LIST_PARAMETERS } from '../../src/http/query/list-parameters.ts';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { queryStores } from '../../src/query/match-stores.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { HeldSource } from '../support/held-source.ts';
import { TestBackground } from '../support/stores/memory-snapshot.ts';

const PUBLISHED_AT = '2026-01-01T00:00:00Z';
const STORES = [...generateStores(60, { seed: 4, languages: 1 })];
const [FIRST, SECOND] = STORES.map(({ id }) => id).sort() as [string, string];
const SHOWN = STORES.find(({ geo }) => geo.displayAddress)?.geo.main.point ?? { lat: 0, lng: 0 };

const firstWord = (store?: (typeof STORES)[number]) => store?.profile.name.split(' ')[0] ?? '';

/** Two values of each parameter of a condition, with the parameters that go with both. */
const VALUES: Readonly<Record<string, readonly [a: string, b: string, beside?: string]>> = {
  after: [FIRST, SECOND],
  'verticale.in': ['BIKE', 'CAR,SKI'],
  'verticale.notIn': ['BIKE', 'CAR,SKI'],
  'verticale.equals': ['BIKE', 'CAR'],
  'verticale.notEquals': ['BIKE', 'CAR'],
  'language.in': ['fr', 'de'],
  'country.in': ['France', 'Atlantis'],
  openAt: ['2026-06-03T08:00:00Z', '2026-06-07T22:00:00Z'],
  q: [firstWord(STORES[0]), firstWord(STORES[1])],
  bbox: ['-180,-90,180,90', `${SHOWN.lng},${SHOWN.lat},${SHOWN.lng},${SHOWN.lat}`],
  'id.in': [FIRST, SECOND],
  'position.radius': [
    '1',
    '50',
    `position.latitude=${SHOWN.lat + 0.1}&position.longitude=${SHOWN.lng}`,
  ],
  'position.latitude': [
    `${SHOWN.lat}`,
    `${-SHOWN.lat}`,
    `position.radius=50&position.longitude=${SHOWN.lng}`,
  ],
  'position.longitude': [
    `${SHOWN.lng}`,
    `${SHOWN.lng - 90}`,
    `position.radius=50&position.latitude=${SHOWN.lat}`,
  ],
};

const NAMES = CONDITIONS.flatMap(({ parameters }) => parameters.map(({ name }) => name));

let memory: SnapshotMemory;
let manifest: PublishedManifest;

beforeEach(async () => {
  const source = new HeldSource();
  memory = new SnapshotMemory(source);
  manifest = await source.publish(STORES, PUBLISHED_AT);
});

const fresh = () => new LoadedRelease({ number: 1, manifest, publishedAt: PUBLISHED_AT }, memory);

async function answer(release: LoadedRelease, text: string) {
  const { query } = LIST_PARAMETERS.parse(text);
  const { total, stores } = await queryStores(release, query, new TestBackground());
  return { total, stores: Array.from(stores) };
}

/** The two queries of a parameter, which differ in its value alone. */
function pairOf(name: string, sort = ''): [string, string] {
  const [a, b, beside = ''] = VALUES[name] ?? ['', ''];
  const query = (value: string) =>
    [`${name}=${value}`, beside, sort].filter((text) => text !== '').join('&');
  return [query(a), query(b)];
}

describe('every condition', () => {
  it('is tried here', () => {
    expect(Object.keys(VALUES).sort()).toEqual([...NAMES].sort());
  });

  it.each(NAMES)('%s is part of the canonical text', (name) => {
    const texts = [...pairOf(name), ''].map((query) => LIST_PARAMETERS.parse(query).canonical);
    expect(new Set(texts).size).toBe(3);
  });

  it.each(NAMES)('%s is no part of an order that is kept for another value', async (name) => {
    // `after` goes with the default order alone, which needs a filter to be kept.
    for (const sort of name === 'after' ? ['verticale.notIn=EVENT'] : ['', 'sort=profile.name']) {
      const [first, second] = pairOf(name, sort);
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
