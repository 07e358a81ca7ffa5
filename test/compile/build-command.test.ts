/** `snapshot build`: what it makes, what it replaces, and what it leaves alone. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { compileToFolder } from '../../scripts/build/release-choice.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { openSpool } from '../../scripts/source/file-spool.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { startTool } from '../support/run-tool.ts';
import { FAULTS, SUMMARY, useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

describe('build', () => {
  const out = () => join(tool.folder, 'out');
  const order = (source: string, ...more: string[]) => [
    'build',
    '--source',
    source,
    '--out',
    out(),
    ...more,
  ];
  const build = (...choice: Parameters<typeof order>) => tool.snapshot(order(...choice));
  const buildJson = (...choice: Parameters<typeof order>) => tool.json(order(...choice));

  const expectSourcesAlone = async () =>
    expect((await readdir(tool.folder)).sort()).toEqual(['faulty.ndjson', 'good.ndjson']);

  it('makes a folder of a manifest and the objects that it names', async () => {
    const { code, stdout } = await build(tool.goodFile);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Built release [0-9a-f]{16}: 3 stores, 3 locations, \d+ kB of documents, in .*out\n$/,
    );
    const manifest = JSON.parse(await readFile(join(out(), 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ format: FORMAT_VERSION, storeCount: 3 });
    expect(await readdir(join(out(), 'objects'))).toContain(manifest.parts.chunks.hash);
    expect((await readdir(out())).sort()).toEqual(['manifest.json', 'objects']);
  });

  it('replaces an earlier snapshot and an empty folder, and leaves nothing beside them', async () => {
    await mkdir(out());
    await build(tool.goodFile);
    const first = await readFile(join(out(), 'manifest.json'), 'utf8');
    await writeFile(tool.goodFile, ndjson([buildStore(4)]));
    expect((await build(tool.goodFile)).code).toBe(0);
    const second = await readFile(join(out(), 'manifest.json'), 'utf8');
    expect(JSON.parse(second)).toMatchObject({ storeCount: 1 });
    expect(second).not.toBe(first);
    expect(await readdir(tool.folder)).toHaveLength(3);
  });

  it.each([
    ['a folder with other files', 'notes.txt'],
    ['a snapshot folder with a file of another program', 'objects/notes.txt'],
  ])('leaves %s alone', async (_name, name) => {
    if (name.startsWith('objects')) await build(tool.goodFile);
    else await mkdir(out());
    await writeFile(join(out(), name), 'mine');
    const before = await readdir(out(), { recursive: true });
    const { code, data } = await buildJson(tool.goodFile);
    expect(code).toBe(2);
    expect(data.error).toMatchObject({
      code: 'target_occupied',
      message: expect.stringContaining('holds something else than a snapshot'),
    });
    expect(await readdir(out(), { recursive: true })).toEqual(before);
  });

  it.each([
    ['a file in the place of a folder', 'good.ndjson/out', 'not a directory'],
    ['too long a name', 'x'.repeat(300), 'name too long'],
  ])('says in words that it cannot write: %s', async (_name, place, reason) => {
    const path = join(tool.folder, place);
    const { code, data } = await tool.json(['build', '--source', tool.goodFile, '--out', path]);
    expect(code).toBe(1);
    const message = `cannot write "${path}": ${reason}`;
    expect(data.error).toMatchObject({ code: 'cannot_write', message });
  });

  it('of a faulty source builds nothing, shows the faults and exits 1', async () => {
    const { code, stdout, stderr } = await build(tool.faultyFile);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error: ".*" has 3 faults in 2 stores, nothing was built; --skip-invalid leaves them out \[faulty_source\]\n/,
    );
    expect(stderr).toContain('wrong_type  profile.name (1)');
    await expectSourcesAlone();
    const error = {
      code: 'faulty_source',
      message: expect.stringContaining('nothing was built'),
      source: tool.faultyFile,
      ...SUMMARY,
      faults: FAULTS,
    };
    expect(await buildJson(tool.faultyFile)).toEqual({ code: 1, stderr: '', data: { error } });
  });

  it('--skip-invalid builds the good stores and says what it left out', async () => {
    const { code, stdout } = await build(tool.faultyFile, '--skip-invalid');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Built release [0-9a-f]{16}: 1 store, /);
    expect(stdout).toContain('Left out 2 stores (3 faults in 2 stores):');
    expect(stdout).toContain('duplicate_slug  slug (1)');
    const { data } = await buildJson(tool.faultyFile, '--skip-invalid');
    expect(data).toMatchObject({ storeCount: 1, validation: { ...SUMMARY, faults: FAULTS } });
  });

  it.each([
    ['no good store', '{\n{\n', ': no store is left without the faulty ones'],
    ['a file that was cut inside a line', `${JSON.stringify(buildStore(1))}\n{"id":`, ''],
    ['an array without end', `[${JSON.stringify(buildStore(1))},`, ''],
    ['nothing', '', ''],
  ])('--skip-invalid does not build from %s', async (_name, source, remark) => {
    await writeFile(tool.faultyFile, source);
    const { code, stderr } = await build(tool.faultyFile, '--skip-invalid');
    expect(code).toBe(1);
    expect(stderr).toContain(`nothing was built${remark} [faulty_source]\n`);
    await expectSourcesAlone();
  });

  it('interrupted while it waits for input cleans up behind itself', async () => {
    const { child, output, ended } = startTool('snapshot', order('-'));
    child.stdin.write(`${JSON.stringify(buildStore(1))}\n`);
    const isBuilding = async () =>
      (await readdir(tool.folder)).some((name) => name.startsWith('out.building-'));
    while (child.exitCode === null && !(await isBuilding())) await sleep(25);
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    expect([await ended, output.stderr]).toEqual([130, 'error: interrupted\n']);
    await expectSourcesAlone();
  });
});

describe('the spool of a build', () => {
  it('returns records of any size in any order, written or not yet', async () => {
    using spool = openSpool(tool.folder);
    const records = Array.from({ length: 60 }, (_, index) =>
      new Uint8Array(index * 2000).fill(index),
    );
    // Larger than what the spool gathers before it writes.
    const large = new Uint8Array(3 * 1024 * 1024).fill(7);
    const offsets: number[] = [];
    const read = async (index: number, length = index * 2000) => {
      const record = new Uint8Array(length);
      await spool.read(offsets[index] ?? 0, record);
      return record;
    };
    for (const [index, record] of records.entries()) {
      offsets.push(await spool.append(record));
      if (index % 7 === 0) expect(await read(index)).toEqual(record);
    }
    for (const index of [59, 3, 0, 31, 58, 1]) {
      expect(await read(index)).toEqual(records[index]);
    }
    offsets.push(await spool.append(large));
    expect(await read(60, large.length)).toEqual(large);
    expect(await read(59)).toEqual(records[59]);
    await expect(read(60, large.length + 1)).rejects.toThrow('no record of');
  });
});

describe('a compilation', () => {
  it('that is interrupted after reading the stores ends before all objects are written', async () => {
    const interruption = new AbortController();
    async function* stores() {
      yield buildStore(1);
      interruption.abort(new Error('interrupted'));
    }
    const context = { progress: SILENT_PROGRESS, signal: interruption.signal };
    const compiling = compileToFolder(stores(), tool.folder, context);
    await expect(compiling).rejects.toThrow('interrupted');
    expect(await readdir(join(tool.folder, 'snapshot'))).toEqual(['objects']);
  });
});
