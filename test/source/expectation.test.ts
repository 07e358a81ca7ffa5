/** A source that is not what it was said to be: cut off at the end of a line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ndjson } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';

const tool = useSnapshotTool();
const WHOLE = `${ndjson(storesFrom(1, 30))}\n`;
/** Looks whole: it ends with a line. */
const CUT = `${WHOLE.split('\n').slice(0, 28).join('\n')}\n`;

let source = '';
let out = '';

beforeEach(() => {
  source = join(tool.folder, 'export.ndjson');
  out = join(tool.folder, 'out');
});

/** The kinds of faults that a command finds, and its exit code. */
async function faultsOf(...args: string[]) {
  const { code, data } = await tool.json(args);
  const groups: { kind: string; count: number }[] = (data.error ?? data).faultGroups;
  const counts = groups?.map(({ kind, count }) => [kind, count]);
  return { code, faults: counts ? Object.fromEntries(counts) : data.error?.code };
}

describe('a file that was cut off at the end of a line', () => {
  it('is refused by every command that is told how many stores there are', async () => {
    await writeFile(source, CUT);
    const commands = [['validate'], ['build', '--out', out], ['publish'], ['diff']];
    for (const [name = '', ...more] of commands) {
      const args = [name, '--source', source, ...more, '--expect-stores', '30'];
      expect(await faultsOf(...args)).toEqual({ code: 1, faults: { other_store_count: 1 } });
    }
    const args = ['publish', '--source', source, '--expect-stores', '30', '--skip-invalid'];
    expect(await faultsOf(...args)).toMatchObject({ code: 1 });
    expect((await tool.json(['list'])).data.entries).toEqual([]);
  });

  it('is told from a whole one', async () => {
    await writeFile(source, CUT);
    const args = ['validate', '--source', source, '--expect-stores', '30'];
    expect((await tool.snapshot(args)).stdout).toContain(
      'other_store_count (1): another number of stores than expected\n  the whole source\n      28: expected 30 stores, as --expect-stores says: the source may be cut off\n',
    );
    await writeFile(source, WHOLE);
    expect(await faultsOf(...args)).toEqual({ code: 0, faults: {} });
  });
});

describe('what is expected', () => {
  it('counts faulty stores as well', async () => {
    await writeFile(source, `${WHOLE}{\n`);
    const args = ['validate', '--source', source, '--expect-stores'];
    expect((await faultsOf(...args, '31')).faults).toEqual({ invalid_json: 1 });
    const found = await tool.snapshot([...args, '29']);
    expect(found.stdout).toContain('31: expected 29 stores, as --expect-stores says\n');
  });

  it('is wrong usage when it is no number', async () => {
    await writeFile(source, WHOLE);
    expect(await faultsOf('validate', '--source', source, '--expect-stores', '3.5')).toEqual({
      code: 2,
      faults: 'usage',
    });
  });

  it('holds for a folder, too', async () => {
    await writeFile(source, WHOLE);
    await tool.snapshot(['build', '--source', source, '--out', out]);
    const args = ['publish', '--snapshot', out, '--dry-run', '--expect-stores'];
    expect(await faultsOf(...args, '31')).toEqual({ code: 1, faults: 'other_store_count' });
    expect(await faultsOf(...args, '30')).toMatchObject({ code: 0 });
  });
});
