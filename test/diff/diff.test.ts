/** What a release would change, against an oracle that compares answers. */
import { describe, expect, it } from 'vitest';
import { generateStore } from '../../fixtures/generator/store.ts';
import { readRelease } from '../../scripts/build/release-reader.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { diffFigures, summarizeDiff } from '../../scripts/diff/describe-diff.ts';
import { measureChange } from '../../scripts/guards/measure-change.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { expectedChanges } from '../support/oracle/changes.ts';
import {
  type CompiledStores,
  compileStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';
import { randomExports } from '../support/stores/random-edits.ts';
import { diffAll, diffOf, named, WATCH } from './support/changed-stores.ts';

describe('a comparison', () => {
  it('finds what an oracle finds that compares all answers', async () => {
    for (let pair = 0; pair < 60; pair++) {
      const { before, after } = randomExports(pair);
      const { added, removed, seen } = await diffOf(before, after);
      for (const { fields, values } of seen) {
        expect([...new Set(values.map(({ path }) => path.split('.')[0]))]).toEqual(fields);
      }
      const expected = expectedChanges(before, after);
      const of = (kind: string) => expected.filter(({ change }) => change === kind);
      expect(added, `pair ${pair}`).toMatchObject(of('added').map(nameOf));
      expect(removed, `pair ${pair}`).toMatchObject(of('removed').map(nameOf));
      const changed = seen.map(({ id, slug, fields }) => ({ id, slug, change: 'changed', fields }));
      expect(changed, `pair ${pair}`).toEqual(of('changed'));
    }
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
    // Findings in the sample stand for all.
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

const nameOf = ({ id, slug }: { id: string; slug: string }) => ({ id, slug });

/** A release that notes which objects are read from it. */
function recordingReads(compiled: CompiledStores) {
  const reads = new Set<string>();
  const readObjects = (refs: readonly ObjectRef[]) => {
    for (const { hash } of refs) reads.add(hash);
    return compiled.readObjects(refs);
  };
  return { ...compiled, readObjects, reads };
}
