/** What a release would change, against an oracle that compares answers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateStore } from '../../fixtures/generator/store.ts';
import { readRelease } from '../../scripts/build/release-reader.ts';
import { type SourceStore, sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { diffFigures, summarizeDiff } from '../../scripts/diff/describe-diff.ts';
import { measureChange } from '../../scripts/guards/measure-change.ts';
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
import { diffAll, diffOf, named, WATCH } from './support/changed-stores.ts';

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
        const { added, removed, seen } = await diffOf(live, next);
        const changed = seen.map(({ id, slug, fields, values }) => {
          const shown = [...new Set(values.map(({ path }) => path.split('.')[0] as string))];
          expect(shown).toEqual(fields);
          return { id, slug, fields };
        });
        const come = added.map(({ id, slug }) => ({ id, slug }));
        expect({ added: come, removed, changed }).toEqual(expectedDiff(live, next));
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
    const { seen } = await diffOf([before, ...others], [after, ...others]);
    expect(seen.map((store) => store.fields)).toEqual(fields.length > 0 ? [fields] : []);
  });

  it('reads only the chunks of stores that changed', async () => {
    const stores = Array.from({ length: 300 }, (_, n) =>
      generateStore(n, { seed: 5, languages: 2 }),
    );
    const live = recordingReads(await compileStores(stores));
    const [first, ...others] = stores as [SourceStore, ...SourceStore[]];
    const next = await compileStores([{ ...first, pageUrl: 'https://other.example/' }, ...others]);
    const { seen } = await diffAll(readRelease(live), readRelease(next));
    expect(seen).toMatchObject([{ id: first.id, slug: first.slug, fields: ['pageUrl'] }]);
    // The ids, what is compared, the list of chunks and the one chunk.
    expect(live.reads.size).toBe(4);
  });

  it('of too many stores says how many, and reads a sample', async () => {
    const stores = storesFrom(1, 1_250);
    const moved = stores.map((store) => ({ ...store, pageUrl: `${store.pageUrl}?2` }));
    const live = readRelease(await compileStores(stores));
    const next = readRelease(await compileStores(moved));
    const { diff, findings } = await measureChange(live, next, { ...WATCH, now: 0 });
    expect(diff.changed).toHaveLength(1_250);
    const soleField = { path: 'pageUrl', stores: 1_000 };
    expect(diffFigures(diff)).toMatchObject({ changed: 1_250, changedFields: null, soleField });
    expect(summarizeDiff(diff)).toContain(
      'changed  1,250  (of 1000 looked at: pageUrl 1,000; snapshot diff looks at all)\n  pageUrl alone makes most of the changes: in 1,000 of 1,000 changed stores nothing else differs.\n',
    );
    // What was found in the sample is told of all.
    const found = findings.find(({ name }) => name === 'page-url');
    expect(found).toMatchObject({ count: 1_250, of: 1_250 });
    // Evenly spread: the sample goes to the end.
    expect(found?.examples.at(-1)?.slug).toBe('store-1249');
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
    await expect(diffAll(live, next)).rejects.toMatchObject({
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
