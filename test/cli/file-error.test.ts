/** What becomes of errors of the file system, and which errors are none. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explainWriting } from '../../scripts/cli/file-error.ts';
import { expectWritable } from '../../scripts/cli/platform.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-error-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('a program that cannot be started is none of what is written', async () => {
  const program = join(folder, 'no-such-program');
  const work = explainWriting(folder, () => promisify(execFile)(program));
  await expect(work).rejects.toMatchObject({ code: 'ENOENT', syscall: `spawn ${program}` });
});

it('what has no path, and is no full disk, passes through', async () => {
  const error = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  await expect(explainWriting(folder, () => Promise.reject(error))).rejects.toBe(error);
});

it.each([
  ['a file in the place of a folder', 'file', 'a file is in the place of a folder'],
  ['too long a name', 'x'.repeat(300), 'the name is too long'],
])('local storage says why it cannot be used: %s', async (_what, name, reason) => {
  await writeFile(join(folder, 'file'), '');
  const storage = join(folder, name, 'v3');
  await expect(expectWritable(storage)).rejects.toMatchObject({
    code: 'storage_unwritable',
    message: `local storage cannot be used, "${storage}": ${reason}; STORE_DIRECTORY_STATE names another folder`,
  });
});
