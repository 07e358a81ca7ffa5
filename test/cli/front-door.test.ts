/**
 * Every command in a process of its own, as people and scripts run it: it does its work, says so,
 * and ends. What commands say and refuse in every case is tested within the tests' own process,
 * where they have to say the same.
 */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool } from '../support/call-tool.ts';
import { ndjson, storeWith } from '../support/faulty-sources.ts';
import { runTool } from '../support/run-tool.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';

const tool = useSnapshotTool();

/** Where a test's commands work. */
const environment = () => ({ STORE_DIRECTORY_STATE: tool.state, NO_COLOR: '1' });

/** What a command that succeeds prints as JSON. */
async function printed(program: string, args: readonly string[], env = environment()) {
  const { code, stdout, stderr } = await runTool(program, [...args, '--json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The same within our own process, where a step of a test is only what comes before the next. */
async function prepared(program: string, args: readonly string[], env = environment()) {
  const { code, stdout } = await callTool(program, [...args, '--json'], { env });
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

/** Runs a command both ways. */
async function expectSame(program: string, args: readonly string[], code: number, stdin?: string) {
  const options = { env: environment(), ...(stdin !== undefined && { stdin }) };
  const apart = await runTool(program, args, options);
  expect(apart.code).toBe(code);
  expect(await callTool(program, args, options)).toEqual(apart);
}

describe('commands on local storage', () => {
  it('publish, compare, list, inspect, go back and prune', async () => {
    const next = join(tool.folder, 'next.ndjson');
    await writeFile(next, ndjson(storesFrom(1, 4)));
    const snapshot = (...args: string[]) => printed('snapshot', args);
    const first = await snapshot('publish', '--source', tool.goodFile);
    expect(first).toMatchObject({ storeCount: 3, previous: null });
    expect(await snapshot('diff', '--source', next)).toMatchObject({ live: first.release });
    const second = await prepared('snapshot', ['publish', '--source', next]);
    expect(second).toMatchObject({ storeCount: 4, previous: first.release });
    const inspected = await snapshot('inspect', first.release);
    expect(inspected).toMatchObject({ release: first.release, storeCount: 3 });
    expect(await snapshot('rollback')).toMatchObject({ to: first.release, turned: true });
    await writeFile(next, ndjson(storesFrom(1, 5)));
    const held = await tool.snapshot(['publish', '--source', next]);
    expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining('[publication_held]') });
    expect(await prepared('snapshot', ['resume'])).toMatchObject({ resumed: true });
    const last = await prepared('snapshot', ['publish', '--source', next]);
    expect(await snapshot('prune')).toMatchObject({ deletedReleases: [], deletedObjects: 0 });
    expect(await prepared('snapshot', ['list'])).toMatchObject({
      live: { number: 5, release: last.release, before: first.release },
      hold: null,
      entries: [
        { number: 5, kind: 'publish', release: last.release, state: 'live' },
        { number: 4, kind: 'resume', release: first.release },
        { number: 3, kind: 'rollback', release: first.release, state: 'kept' },
        { number: 2, kind: 'publish', release: second.release, state: 'kept' },
        { number: 1, kind: 'publish', release: first.release, state: 'kept' },
      ],
    });
    await expectSame('snapshot', ['list'], 0);
  });

  it('issue, show, list, rotate and revoke tokens', async () => {
    const token = (...args: string[]) => printed('token', args);
    const issued = await token('issue', '--partner', 'Ski Guide');
    await expectSame('token', ['show', issued.id], 0);
    expect(await prepared('token', ['show', issued.id])).toMatchObject({ partner: 'Ski Guide' });
    const rotated = await token('rotate', issued.id);
    const shown = await callTool('token', ['show', issued.id], { env: environment() });
    expect(shown.stdout).toMatch(new RegExp(`replaced by +${rotated.id}`));
    expect(await token('revoke', rotated.id)).toMatchObject({ state: 'revoked' });
    const listed: { tokens: { id: string }[] } = await prepared('token', ['list']);
    expect(listed.tokens.map(({ id }) => id).sort()).toEqual([issued.id, rotated.id].sort());
    await expectSame('token', ['list'], 0);
  });
});

describe('commands in a process of their own', () => {
  it('make what they say', async () => {
    const out = join(tool.folder, 'out');
    await printed('snapshot', ['build', '--source', tool.goodFile, '--out', out]);
    expect((await readdir(out)).sort()).toEqual(['manifest.json', 'objects']);
    const file = join(tool.folder, 'few.ndjson');
    expect(await printed('fixtures', ['--count', '2', '--out', file])).toMatchObject({ stores: 2 });
    expect(await readdir(tool.folder)).toContain('few.ndjson');
  });

  it.each([
    ['a good source', 'snapshot', ['validate', '--source', 'GOOD'], 0],
    ['faults as JSON', 'snapshot', ['validate', '--source', 'FAULTY', '--json'], 1],
    ['an unknown option', 'snapshot', ['publish', '--nope'], 2],
    ['nothing live', 'snapshot', ['rollback'], 1],
    ['help', 'snapshot', ['publish', '--help'], 0],
    ['stores on standard output', 'fixtures', ['--count', '20', '--out', '-'], 0],
  ] as const)('say the same as within ours: %s', async (_name, program, args, code) => {
    const files: Record<string, string> = { GOOD: tool.goodFile, FAULTY: tool.faultyFile };
    await expectSame(
      program,
      args.map((arg) => files[arg] ?? arg),
      code,
    );
  });

  it('say the same of standard input', async () => {
    // More than a pipe holds.
    const stdin = ndjson(Array.from({ length: 600 }, (_, id) => storeWith(id, { slug: 7 })));
    await expectSame('snapshot', ['validate', '--source', '-', '--json'], 1, stdin);
  });
});
