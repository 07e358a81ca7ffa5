/** What a comparison tells people, and the command that tells it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { describeDiff, diffFigures } from '../../scripts/diff/describe-diff.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';
import { diffOf, named } from './support/changed-stores.ts';

describe('the report of a comparison', () => {
  it('counts stores and fields, and names the first ones', async () => {
    const after = [named('Other'), ...storesFrom(2, 40), ...storesFrom(51, 53)];
    const diff = await diffOf(storesFrom(1, 50), after);
    expect(describeDiff(diff, diff.seen)).toBe(
      [
        `Against live release ${diff.live} (50 stores):`,
        '  added    3',
        '  removed  10',
        '  changed  1   profile 1',
        '',
        ...[51, 52, 53].map((n) => `+  ${storeId(n)}  store-${n}`),
        '',
        ...storesFrom(41, 50).map(({ id, slug }) => `-  ${id}  ${slug}`),
        '',
        `~  ${storeId(1)}  store-1  profile`,
        '     profile.name: "Store 1" → "Other"',
      ].join('\n'),
    );
  });

  it('names first the field that changed in most stores', async () => {
    const before = storesFrom(1, 3);
    const after = before.map((store, place) =>
      place === 0
        ? { ...store, pageUrl: 'https://other.example/' }
        : { ...store, profile: { ...store.profile, name: 'Other' } },
    );
    const diff = await diffOf(before, after);
    expect(describeDiff(diff, [])).toContain('changed  3  profile 2, pageUrl 1');
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
  async function valuesOf(before: SourceStore, after: SourceStore): Promise<string[]> {
    const { seen } = await diffOf([before], [after]);
    const values = seen.flatMap((store) => store.values);
    return values.map(({ path, language, before, after }) =>
      [path, language, before, after].join(' '),
    );
  }

  const store = buildStore(1);
  const { profile, geo, temporal } = store;

  it.each<[string, SourceStore, string[]]>([
    [
      'in one language',
      { ...store, profile: { ...profile, description: { fr: 'Magasin 1', en: 'New' } } },
      ['profile.description en "Shop 1" "New"'],
    ],
    [
      'in every language alike',
      { ...store, pageUrl: 'https://other.example/' },
      ['pageUrl  "https://stores.example/store-1" "https://other.example/"'],
    ],
    [
      'deep within',
      { ...store, geo: { ...geo, main: { ...geo.main, point: { lat: 48.001, lng: 7.5 } } } },
      ['geo.location.point.lng  7.001 7.5'],
    ],
    [
      'an element of a list',
      {
        ...store,
        temporal: {
          ...temporal,
          schedule: {
            ...temporal.schedule,
            openingHours: [{ id: 'h1', day: '*', from: '10:00', to: '18:00', open: true }],
          },
        },
      },
      ['temporal.schedule.openingHours.0.from  "09:00" "10:00"'],
    ],
    [
      'a list of another length',
      { ...store, profile: { ...profile, verticales: ['BIKE', 'CAR'] } },
      ['profile.verticales  ["BIKE"] ["BIKE","CAR"]'],
    ],
  ])('%s', async (_name, after, values) => {
    expect(await valuesOf(store, after)).toEqual(values);
  });

  it('are shown short, and never as they could paint a terminal', async () => {
    const name = `\u001b[2J\u009b31m\u202e\u2028${'x'.repeat(100)}`;
    const diff = await diffOf([store], [named(name)]);
    const text = describeDiff(diff, diff.seen);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(text).toContain('→ "\\u001b[2J\\u009b31m\\u202e\\u2028xxx');
    expect(text).not.toContain('x'.repeat(60));
  });

  it('name the field that alone makes most of the changes', async () => {
    const touched = storesFrom(1, 9).map((each, index) => {
      const time = `2026-11-22T0${index}:00:00Z`;
      return { ...each, metadata: { timestamps: { createdAt: time } } };
    });
    const after = [named('Other'), ...touched.slice(1)];
    const diff = await diffOf(storesFrom(1, 9), after);
    const soleField = { path: 'metadata.timestamps.createdAt', stores: 8 };
    expect(diffFigures(diff)).toMatchObject({ soleField });
    const half = [named('Other'), ...touched.slice(1, 2)];
    expect(diffFigures(await diffOf(storesFrom(1, 2), half)).soleField).toBeNull();
  });
});

describe('snapshot diff', () => {
  const tool = useSnapshotTool();

  it('compares a source and a folder with what is live, and changes nothing', async () => {
    await tool.snapshot(['publish', '--source', tool.goodFile]);
    const source = join(tool.folder, 'next.ndjson');
    await writeFile(source, ndjson([named('Other'), buildStore(2), buildStore(4)]));
    const folder = join(tool.folder, 'next');
    await tool.snapshot(['build', '--source', source, '--out', folder]);
    const outcomes = [];
    for (const choice of [
      ['--source', source],
      ['--snapshot', folder],
    ]) {
      const { data, ...others } = await tool.json(['diff', ...choice]);
      expect(others).toEqual({ code: 0, stderr: '' });
      outcomes.push(data);
    }
    const changes = {
      environment: 'development',
      liveStores: 3,
      stores: 3,
      added: [{ id: storeId(4), slug: 'store-4' }],
      removed: [{ id: storeId(3), slug: 'store-3' }],
      changed: [
        {
          id: storeId(1),
          slug: 'store-1',
          fields: ['profile'],
          values: [{ path: 'profile.name', language: null, before: '"Store 1"', after: '"Other"' }],
        },
      ],
      changedFields: { profile: 1 },
    };
    expect(outcomes[0]).toMatchObject({ ...changes, validation: { stores: 3, faulty: 0 } });
    expect(outcomes[1]).toMatchObject(changes);
    expect((await tool.json(['list'])).data.entries).toHaveLength(1);
  });
});
