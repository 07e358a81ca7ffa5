/** `--expect-stores`: a source that was cut off at the end of a line looks whole. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ndjson } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';

const tool = useSnapshotTool();
const [WHOLE, CUT] = [30, 28].map((count) => `${ndjson(storesFrom(1, count))}\n`) as [
  string,
  string,
];

/** Runs a command on such an export; the kinds of faults that it finds, or what it says is wrong. */
async function run(source: string, command: readonly string[], expected: string) {
  const file = join(tool.folder, 'export.ndjson');
  await writeFile(file, source);
  const args = [...command, '--source', file, '--expect-stores', expected];
  const { code, data } = await tool.json(args);
  const groups: { kind: string; count: number }[] = (data.error ?? data).faultGroups;
  const faults = groups?.map(({ kind, count }) => `${count} ${kind}`) ?? data.error?.code;
  return { code, faults, args };
}

describe('a file that was cut off at the end of a line', () => {
  it.each(['validate', 'build', 'publish', 'publish --skip-invalid', 'diff'])(
    'is refused by %s',
    async (command) => {
      const more = command === 'build' ? ['--out', join(tool.folder, 'out')] : [];
      const { code, faults } = await run(CUT, [...command.split(' '), ...more], '30');
      expect({ code, faults }).toEqual({ code: 1, faults: ['1 other_store_count'] });
      expect((await tool.json(['list'])).data.entries).toEqual([]);
    },
  );
});

describe('what is expected', () => {
  it.each([
    ['the number of stores', WHOLE, '30', 0, [], 'no fault'],
    [
      'more stores',
      CUT,
      '30',
      1,
      ['1 other_store_count'],
      'other_store_count (1): another number of stores than expected\n  the whole source\n      28: expected 30 stores, as --expect-stores says: the source may be cut off\n',
    ],
    ['the number with the faulty ones', `${WHOLE}{\n`, '31', 1, ['1 invalid_json'], ''],
    [
      'fewer stores',
      WHOLE,
      '29',
      1,
      ['1 other_store_count'],
      '30: expected 29 stores, as --expect-stores says\n',
    ],
    ['no number', WHOLE, '3.5', 2, 'usage', ''],
  ])('may be %s', async (_what, source, expected, code, faults, words) => {
    const outcome = await run(source, ['validate'], expected);
    expect(outcome).toMatchObject({ code, faults });
    expect((await tool.snapshot(outcome.args)).stdout).toContain(words);
  });

  it('holds for a folder, too', async () => {
    const out = join(tool.folder, 'out');
    await tool.snapshot(['build', '--source', tool.goodFile, '--out', out]);
    const args = ['publish', '--snapshot', out, '--dry-run', '--expect-stores'];
    expect(await tool.json([...args, '4'])).toMatchObject({
      code: 1,
      data: { error: { code: 'other_store_count' } },
    });
    expect(await tool.json([...args, '3'])).toMatchObject({ code: 0 });
  });
});
