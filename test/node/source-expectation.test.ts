/** A source that is not what it was said to be: cut off at the end of a line, or another file. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { useSnapshotTool } from './snapshot-tool.ts';

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

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

async function sidecar(content: object | string): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(`${source}.expect.json`, text);
}

/** The kinds of faults that a command finds, and its exit code. */
async function faultsOf(...args: string[]) {
  const { code, stdout } = await tool.snapshot([...args, '--json']);
  const data = JSON.parse(stdout);
  return { code, faults: (data.error ?? data).faultsByKind ?? data.error?.code };
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
    expect(JSON.parse((await tool.snapshot(['list', '--json'])).stdout).entries).toEqual([]);
  });

  it('is told from a whole one by a file beside it', async () => {
    await writeFile(source, CUT);
    await sidecar({ stores: 30, sha256: sha256(WHOLE) });
    expect(await faultsOf('validate', '--source', source)).toEqual({
      code: 1,
      faults: { other_store_count: 1, other_sha256: 1 },
    });
    const { stdout } = await tool.snapshot(['validate', '--source', source]);
    expect(stdout).toContain(
      `other_store_count (1): another number of stores than was to be expected\n  the whole source\n      28: expected 30 stores, as "${source}.expect.json" says: the source was cut off\n`,
    );
    await writeFile(source, WHOLE);
    expect(await faultsOf('validate', '--source', source)).toEqual({ code: 0, faults: {} });
  });
});

describe('what is expected', () => {
  it('counts faulty stores as well, and goes by the bytes of a zipped file', async () => {
    const zipped = gzipSync(`${WHOLE}{\n`);
    await writeFile(source, zipped);
    await sidecar({ stores: 31, sha256: sha256(zipped).toUpperCase() });
    const found = await faultsOf('validate', '--source', source);
    expect(found.faults).toEqual({ invalid_json: 1 });
    await writeFile(source, gzipSync(WHOLE));
    expect((await faultsOf('validate', '--source', source)).faults).toMatchObject({
      other_sha256: 1,
    });
  });

  it('may be said by a file elsewhere, and by an option, which comes first', async () => {
    await writeFile(source, WHOLE);
    const elsewhere = join(tool.folder, 'expected.json');
    await writeFile(elsewhere, '{"stores":29}');
    const args = ['validate', '--source', source, '--expect', elsewhere];
    expect(await faultsOf(...args)).toEqual({ code: 1, faults: { other_store_count: 1 } });
    expect(await faultsOf(...args, '--expect-stores', '30')).toEqual({ code: 0, faults: {} });
    const byFile = await tool.snapshot(args);
    expect(byFile.stdout).toContain(`30: expected 29 stores, as "${elsewhere}" says\n`);
    const byOption = await tool.snapshot([...args, '--expect-stores', '31']);
    expect(byOption.stdout).toContain('expected 31 stores, as --expect-stores says');
  });

  it.each(['{}', '{"stores":-1}', '{"count":3}', '{"sha256":"x"}', 'x'])(
    'is wrong usage when the file that says it holds %s',
    async (content) => {
      await writeFile(source, WHOLE);
      await sidecar(content);
      const found = await faultsOf('validate', '--source', source);
      expect(found).toEqual({ code: 2, faults: 'expectation_unreadable' });
    },
  );

  it('is wrong usage when the file that should say it is not there, or is no number', async () => {
    await writeFile(source, WHOLE);
    const missing = ['validate', '--source', source, '--expect', join(tool.folder, 'none')];
    expect(await faultsOf(...missing)).toEqual({ code: 2, faults: 'expectation_unreadable' });
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
