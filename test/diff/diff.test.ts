/** What a release would change, against an oracle that compares answers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateStore } from '../../fixtures/generator/store.ts';
import { readRelease } from '../../scripts/build/release-reader.ts';
import { type SourceStore, sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { diffFigures, summarizeDiff } from '../../scripts/diff/describe-diff.ts';
import { diffReleases } from '../../scripts/diff/diff-releases.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import type { StoreField } from '../../src/model/store.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { describeStore } from '../support/oracle/store-answer.ts';
import {
  type CompiledStores,
  compileStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';
import { randomStores } from '../support/stores/random-stores.ts';
import { buildLocation, buildStore, storeId } from '../support/stores/store-builder.ts';
import { hiddenRatedStore, hiddenStore } from '../support/stores/store-variants.ts';
import { COMPARE_ALL, diffOf, named } from './support/changed-stores.ts';

/** Everything but the deprecated fields and what depends on the request. */
const FIELDS = Object.keys(sourceStoreSchema.shape) as readonly StoreField[];

/** The fields that differ in an answer of any language, as the oracle answers. */
function expectedFields(before: SourceStore, after: SourceStore): StoreField[] {
  const answers = [...LANGUAGES, undefined].map((lang) => {
    const view = { lang, locationIndex: 0, distance: undefined, utm: undefined };
    return [describeStore(before, view), describeStore(after, view)] as const;
  });
  return FIELDS.filter((field) =>
    answers.some(([was, is]) => JSON.stringify(was[field]) !== JSON.stringify(is[field])),
  );
}

function expectedDiff(live: SourceStore[], next: SourceStore[]) {
  const byId = (stores: SourceStore[]) =>
    new Map(stores.map((store) => [store.id.toLowerCase(), store]));
  const [before, after] = [byId(live), byId(next)];
  const name = ([, { id, slug }]: [string, SourceStore]) => ({ id, slug });
  const sorted = (stores: Map<string, SourceStore>) =>
    [...stores].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    added: sorted(after)
      .filter(([id]) => !before.has(id))
      .map(name),
    removed: sorted(before)
      .filter(([id]) => !after.has(id))
      .map(name),
    changed: sorted(after).flatMap(([key, store]) => {
      const was = before.get(key);
      const fields = was ? expectedFields(was, store) : [];
      return fields.length > 0 ? [{ id: store.id, slug: store.slug, fields }] : [];
    }),
  };
}

/** An export and its successor: stores dropped, new, or with some fields of another store. */
const successions = fc
  .tuple(randomStores, fc.infiniteStream(fc.nat({ max: 99 })))
  .map(([stores, dice]) => {
    const valid = stores.map((store): SourceStore => sourceStoreSchema.parse(store));
    const roll = () => dice.next().value as number;
    const live = valid.filter(() => roll() < 80);
    const next = valid.filter(() => roll() < 80).map((store) => changeSome(store, valid, roll));
    return { live, next };
  });

function changeSome(store: SourceStore, all: SourceStore[], roll: () => number): SourceStore {
  if (roll() < 40) return store;
  const { id: _id, slug: _slug, ...donor } = all[roll() % all.length] as SourceStore;
  const taken = Object.entries(donor).filter(() => roll() < 20);
  return { ...store, ...Object.fromEntries(taken) };
}

describe('a comparison', () => {
  it('finds what an oracle finds that compares all answers', async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(successions, async ({ live, next }) => {
        const { added, removed, lookedAt: changed, seen } = await diffOf(live, next);
        for (const { fields, values } of seen) {
          const shown = [...new Set(values.map(({ path }) => path.split('.')[0] as string))];
          expect(shown).toEqual(fields);
        }
        expect(seen).toHaveLength(changed.length);
        expect({ added, removed, changed }).toEqual(expectedDiff(live, next));
        changes += changed.length;
      }),
      { numRuns: 60, seed: 20261121 },
    );
    expect(changes).toBeGreaterThan(100);
  });

  it.each<[string, SourceStore, SourceStore, StoreField[]]>([
    [
      'the letters of the id',
      buildStore(1),
      buildStore(1, { id: storeId(1).toUpperCase() }),
      ['id'],
    ],
    ['a hidden location', hiddenStore(1), hiddenAt(20), []],
    ['the place of its reviews, hidden', hiddenRatedStore(1), reviewedElsewhere(), []],
  ])('names the fields when a store changes %s', async (_what, before, after, fields) => {
    const others = storesFrom(2, 9);
    const { lookedAt: changed } = await diffOf([before, ...others], [after, ...others]);
    expect(changed.map((store) => store.fields)).toEqual(fields.length > 0 ? [fields] : []);
  });

  it('reads only the chunks of stores that changed', async () => {
    const stores = Array.from({ length: 300 }, (_, n) =>
      generateStore(n, { seed: 5, languages: 2 }),
    );
    const live = recordingReads(await compileStores(stores));
    const [first, ...others] = stores as [SourceStore, ...SourceStore[]];
    const next = await compileStores([{ ...first, pageUrl: 'https://other.example/' }, ...others]);
    const diff = await diffReleases(readRelease(live), readRelease(next), COMPARE_ALL);
    expect(diff.lookedAt).toEqual([{ id: first.id, slug: first.slug, fields: ['pageUrl'] }]);
    // The ids, what is compared, the list of chunks and the one chunk.
    expect(live.reads.size).toBe(4);
  });

  it('of too many stores says how many, and reads a sample', async () => {
    const stores = storesFrom(1, 300);
    const moved = stores.map((store) => ({ ...store, pageUrl: `${store.pageUrl}?2` }));
    const live = recordingReads(await compileStores(stores));
    const next = await compileStores(moved);
    const diff = await diffReleases(readRelease(live), readRelease(next), {
      ...COMPARE_ALL,
      maxRead: 20,
    });
    expect(diff.changed).toHaveLength(300);
    expect(diff.lookedAt.at(-1)?.slug).toBe('store-286');
    const soleField = { path: 'pageUrl', stores: 20 };
    expect(diffFigures(diff)).toMatchObject({ changed: 300, changedFields: null, soleField });
    expect(summarizeDiff(diff)).toContain(
      'changed  300  (of 20 looked at: pageUrl 20; snapshot diff looks at all)\n  pageUrl alone makes most of the changes: in 20 of 20 changed stores nothing else differs.\n',
    );
    // The ids, the fingerprints, the list of chunks and at most as many chunks as stores.
    expect(live.reads.size).toBeLessThanOrEqual(3 + 20);
  });

  it.each(['live', 'next'] as const)('says which release is damaged: %s', async (side) => {
    const releases = {
      live: await compileStores(storesFrom(1, 9)),
      next: await compileStores([named('Other'), ...storesFrom(2, 9)]),
    };
    const { objects, manifest } = releases[side];
    const parts = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
    for (const hash of objects.keys()) if (!parts.has(hash)) objects.set(hash, new Uint8Array(4));
    const [live, next] = [readRelease(releases.live), readRelease(releases.next)];
    await expect(diffReleases(live, next, COMPARE_ALL)).rejects.toMatchObject({
      code: 'release_damaged',
      details: { release: manifest.release },
    });
  });
});

function hiddenAt(lat: number): SourceStore {
  const store = hiddenStore(1);
  return { ...store, geo: { ...store.geo, main: buildLocation('elsewhere', lat, 7) } };
}

function reviewedElsewhere(): SourceStore {
  const store = hiddenRatedStore(1);
  const { external } = store.reviews;
  const place = { placeId: 'elsewhere', mapsUrl: 'https://maps.example/elsewhere' };
  return { ...store, reviews: { external: external && { ...external, ...place } } };
}

/** A release that notes which objects are read from it. */
function recordingReads(compiled: CompiledStores) {
  const reads = new Set<string>();
  const readObjects = (refs: readonly ObjectRef[]) => {
    for (const { hash } of refs) reads.add(hash);
    return compiled.readObjects(refs);
  };
  return { ...compiled, readObjects, reads };
}
