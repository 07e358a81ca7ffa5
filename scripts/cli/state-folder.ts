/** The folder of local storage: whether workerd, whose complaints fill a screen, can work in it. */
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { reasonOf } from './file-error.ts';

/** Levels of folders below the storage's own in which workerd writes: kind, namespace. */
const DEPTH = 2;

/** @throws CommandError storage_unwritable that says why: another user's, no folder, a full disk */
export async function expectWritable(storage: string): Promise<void> {
  try {
    await mkdir(storage, { recursive: true });
    await expectWritableTo(storage, DEPTH);
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    const { path = storage } = error;
    const message = `local storage cannot be used, "${path}": ${reasonOf(error)}; STORE_DIRECTORY_STATE names another folder`;
    throw new CommandError(message, { code: 'storage_unwritable', details: { path }, cause });
  }
}

async function expectWritableTo(folder: string, depth: number): Promise<void> {
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  if (depth === 0) return;
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  await Promise.all(folders.map(({ name }) => expectWritableTo(join(folder, name), depth - 1)));
}
