/** What a release would change, against an oracle that compares answers; what people are told, and the command that tells it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateStore } from '../../fixtures/generator/store.ts';
import { readRelease } from '../../scripts/build/release-reader.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { describeDiff, diffFigures, summarizeDiff } from '../../scripts/diff/describe-diff.ts';
import { measureChange } from '../../scripts/guards/measure-change.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { expectedChanges } from '../support/oracle/changes.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import {
  type CompiledStores,
  compileStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';
import { randomExports } from '../support/stores/random-edits.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';
import { diffAll, diffOf, named, WATCH } from './support/changed-stores.ts';

describe('a comparison', () => {
  it('finds what an oracle finds that compares all answers', async () => {
    for (let pair = 0; pair < 60; pair++) {
      const { before, after } = randomExports(pair);
      const { added, removed, seen } = await diffOf(before, after);
      const expected = expectedChanges(before, after);
      const of = (kind: string) => expected.filter(({ change }) => change === kind);
      expect(added, `pair ${pair}`).toMatchObject(of('added').map(nameOf));
      expect(removed, `pair ${pair}`).toMatchObject(of('removed').map(nameOf));
      const changed = seen.map(({ id, slug, values }) => {
        const fields = new Set(values.map(({ path }) => path.split('.')[0]));
        return { id, slug, change: 'changed', fields };
      });
      const differing = of('changed').map((each) => ({ ...each, fields: new Set(each.fields) }));
      expect(changed, `pair ${pair}`).toEqual(differing);
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
    expect(seen).toMatchObject([{ id: first.id, slug: first.slug, values: [{ path: 'pageUrl' }] }]);
    // The ids, what is compared, the list of chunks and the one chunk.
    expect(live.reads.size).toBe(4);
  });

  it('of too many stores says how many, and reads a sample', async () => {
    const stores = storesFrom(1, 1_250);
    const moved = stores.map((store) => ({ ...store, pageUrl: `${store.pageUrl}?2` }));
    const live = readRelease(await compileStores(stores));
    const next = readRelease(await compileStores(moved));
    const { diff, findings } = await measureChange(live, next, 'live', { ...WATCH, now: 0 });
    expect(diff.changed).toHaveLength(1_250);
    const figures = diffFigures(diff);
    expect(figures).toMatchObject({
      changed: 1_250,
      lookedAt: 625,
      changedFields: { pageUrl: 625 },
    });
    expect(summarizeDiff(figures)).toContain('1,250 changed (of 625 looked at: pageUrl 625)');
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

describe('the report of a comparison', () => {
  it('counts stores and fields, and names the first ones', async () => {
    const after = [named('Other'), ...storesFrom(2, 40), ...storesFrom(51, 53)];
    const diff = await diffOf(storesFrom(1, 50), after);
    expect(describeDiff(diff, diff.seen)).toBe(
      [
        `Against live release ${diff.live} (50 stores): 3 added, 10 removed, 1 changed (profile.name 1)`,
        '',
        ...[51, 52, 53].map((n) => `+  ${storeId(n)}  store-${n}`),
        '',
        ...storesFrom(41, 50).map(({ id, slug }) => `-  ${id}  ${slug}`),
        '',
        `~  ${storeId(1)}  store-1`,
        '     profile.name: "Store 1" → "Other"',
      ].join('\n'),
    );
  });

  it('names first the field that changed in most stores', async () => {
    const others = [2, 3].map((number) => buildStore(number, { 'profile.name': 'Other' }));
    const moved = buildStore(1, { pageUrl: 'https://other.example/' });
    const diff = await diffOf(storesFrom(1, 3), [moved, ...others]);
    expect(describeDiff(diff, [])).toContain('3 changed (profile.name 2, pageUrl 1)');
  });

  it('says how many it does not name', async () => {
    const diff = await diffOf(storesFrom(1, 30), storesFrom(1, 5));
    expect(describeDiff(diff, [])).toContain('\n  … and 15 more (--json names all)');
  });

  it('of the first release and of the same one is one line', async () => {
    const first = await diffOf(null, storesFrom(1, 3));
    expect(describeDiff(first, [])).toBe('Nothing is live yet: all 3 stores are new');
    const one = await diffOf(null, storesFrom(1, 1));
    expect(describeDiff(one, [])).toBe('Nothing is live yet: 1 store is new');
    const same = await diffOf(storesFrom(1, 3), storesFrom(1, 3));
    expect(describeDiff(same, [])).toBe(`Live release ${same.live} has exactly these stores`);
  });
});

describe('the values of a change', () => {
  it.each<[string, path: string, value: unknown, change: string]>([
    ['in one language', 'profile.description.en', 'New', 'profile.description en "Shop 1" "New"'],
    [
      'in every language alike',
      'pageUrl',
      'https://other.example/',
      'pageUrl  "https://stores.example/store-1" "https://other.example/"',
    ],
    ['deep within', 'geo.main.point.lng', 7.5, 'geo.location.point.lng  7.001 7.5'],
    [
      'an element of a list',
      'temporal.schedule.openingHours.0.from',
      '10:00',
      'temporal.schedule.openingHours.0.from  "09:00" "10:00"',
    ],
    [
      'a list of another length',
      'profile.verticales.1',
      'CAR',
      'profile.verticales  ["BIKE"] ["BIKE","CAR"]',
    ],
  ])('%s', async (_name, changedPath, value, change) => {
    const { seen } = await diffOf([buildStore(1)], [buildStore(1, { [changedPath]: value })]);
    const values = seen.flatMap((store) => store.values);
    const told = values.map(({ path, language, before, after }) =>
      [path, language, before, after].join(' '),
    );
    expect(told).toEqual([change]);
  });

  it('are shown short, and never as they could paint a terminal', async () => {
    const name = `\u001b[2J\u009b31m\u202e\u2028${'x'.repeat(100)}`;
    const diff = await diffOf([buildStore(1)], [named(name)]);
    const text = describeDiff(diff, diff.seen);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(text).toContain('→ "\\u001b[2J\\u009b31m\\u202e\\u2028xxx');
    expect(text).not.toContain('x'.repeat(60));
  });
});

describe('snapshot diff', () => {
  const tool = useSnapshotTool();

  it('compares a folder with what is live, and changes nothing', async () => {
    await tool.snapshot(['publish', '--source', tool.goodFile]);
    const source = join(tool.folder, 'next.ndjson');
    await writeFile(source, ndjson([named('Other'), buildStore(2), buildStore(4)]));
    const folder = join(tool.folder, 'next');
    await tool.snapshot(['build', '--source', source, '--out', folder]);
    const values = [
      { path: 'profile.name', language: null, before: '"Store 1"', after: '"Other"' },
    ];
    expect(await tool.json(['diff', '--snapshot', folder])).toMatchObject({
      code: 0,
      stderr: '',
      data: {
        environment: 'development',
        liveStores: 3,
        stores: 3,
        added: [{ id: storeId(4), slug: 'store-4' }],
        removed: [{ id: storeId(3), slug: 'store-3' }],
        changed: [{ id: storeId(1), slug: 'store-1', values }],
        changedFields: { 'profile.name': 1 },
      },
    });
    expect((await tool.json(['list'])).data.entries).toHaveLength(1);
  });
});
