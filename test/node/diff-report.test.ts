/** What a comparison tells people, and the command that tells it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReleaseDiff } from '../../scripts/diff/compare-releases.ts';
import { describeDiff } from '../../scripts/diff/describe-diff.ts';
import { buildStore, storeId } from '../shared/store-builder.ts';
import { diffOf, named } from './changed-stores.ts';
import { storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { useSnapshotTool } from './snapshot-tool.ts';

describe('the report of a comparison', () => {
  const plain = (_format: unknown, text: string) => text;

  it('counts stores and fields, and names the first ones', async () => {
    const after = [named('Other'), ...storesFrom(2, 40), ...storesFrom(51, 53)];
    const diff = await diffOf(storesFrom(1, 50), after);
    expect(describeDiff(diff, plain)).toBe(
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
      ].join('\n'),
    );
  });

  it('says how many it does not name', async () => {
    const diff = await diffOf(storesFrom(1, 30), storesFrom(1, 5));
    expect(describeDiff(diff, plain)).toContain('\n  … and 15 more (--json names all)');
  });

  it('of the first release and of the same one is one line', async () => {
    const first: ReleaseDiff = await diffOf(null, storesFrom(1, 3));
    expect(describeDiff(first, plain)).toBe('Nothing is live yet: all 3 stores are new');
    const same = await diffOf(storesFrom(1, 3), storesFrom(1, 3));
    expect(describeDiff(same, plain)).toBe(`Live release ${same.live} has exactly these stores`);
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
      const { code, stdout, stderr } = await tool.snapshot(['diff', ...choice, '--json']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      outcomes.push(JSON.parse(stdout));
    }
    const changes = {
      environment: 'development',
      liveStores: 3,
      stores: 3,
      added: [{ id: storeId(4), slug: 'store-4' }],
      removed: [{ id: storeId(3), slug: 'store-3' }],
      changed: [{ id: storeId(1), slug: 'store-1', fields: ['profile'] }],
      changedFields: { profile: 1 },
    };
    expect(outcomes[0]).toMatchObject({ ...changes, validation: { stores: 3, faulty: 0 } });
    expect(outcomes[1]).toMatchObject(changes);
    const { releases } = JSON.parse((await tool.snapshot(['list', '--json'])).stdout);
    expect(releases).toHaveLength(1);
  });
});
