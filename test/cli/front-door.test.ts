/**
 * Every command in a process of its own, as people and scripts run it: it does its work, says so,
 * and ends. What commands say and refuse in every case is tested within the tests' own process,
 * where they have to say the same.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { runTool } from '../support/run-tool.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

const env = { STORE_DIRECTORY_STATE: tool.state, NO_COLOR: '1' };

/** What a command that succeeds prints as JSON. */
async function printed(program: string, args: readonly string[]) {
  const { code, stdout, stderr } = await runTool(program, [...args, '--json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Runs a command both ways. */
async function expectSame(program: string, args: readonly string[], code: number, stdin?: string) {
  const options = { env, ...(stdin !== undefined && { stdin }) };
  const apart = await runTool(program, args, options);
  expect(apart.code).toBe(code);
  expect(await callTool(program, args, options)).toEqual(apart);
}

describe('commands in a process of their own', () => {
  it('make what they say', async () => {
    const out = join(tool.folder, 'out');
    await printed('snapshot', ['build', '--source', tool.goodFile, '--out', out]);
    expect((await readdir(out)).sort()).toEqual(['manifest.json', 'objects']);
    const file = join(tool.folder, 'few.ndjson');
    expect(await printed('fixtures', ['--count', '2', '--out', file])).toMatchObject({ stores: 2 });
    expect(await readdir(tool.folder)).toContain('few.ndjson');
  });

  it('change and show what lies in local storage', async () => {
    await printed('snapshot', ['publish', '--source', tool.goodFile]);
    await expectSame('snapshot', ['list'], 0);
  });

  it('change and show tokens', async () => {
    const { id } = await printed('token', ['issue', '--partner', 'Ski Guide']);
    await expectSame('token', ['show', id], 0);
  });

  it.each([
    ['an unknown option', 'snapshot', ['publish', '--nope'], 2],
    ['help', 'snapshot', ['publish', '--help'], 0],
    ['stores on standard output', 'fixtures', ['--count', '20', '--out', '-'], 0],
  ] as const)('say the same as within ours: %s', async (_name, program, args, code) => {
    await expectSame(program, args, code);
  });

  it('say the same of standard input', async () => {
    // More than a pipe holds.
    const stdin = ndjson(Array.from({ length: 600 }, (_, id) => buildStore(id, { slug: 7 })));
    await expectSame('snapshot', ['validate', '--source', '-', '--json'], 1, stdin);
  });
});
