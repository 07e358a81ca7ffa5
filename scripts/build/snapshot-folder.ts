/**
 * A compiled release in a folder:
 *
 *     manifest.json       the manifest, written last
 *     objects/<hash>      index parts and document chunks
 */
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Manifest, manifestSchema } from '../../src/snapshot/manifest.ts';
import { UsageError } from '../cli/command-error.ts';
import type { CompiledRelease } from './release-reader.ts';

const MANIFEST_FILE = 'manifest.json';
const OBJECTS_FOLDER = 'objects';
/** After so many objects written, interrupts and timers have their turn. */
const TURN_EVERY = 50;

const OBJECT_NAME = /^[0-9a-f]{32}$/;

/** Creates the folder `path`; returns what takes a release into it. */
export async function createSnapshotFolder(path: string) {
  const objects = join(path, OBJECTS_FOLDER);
  await mkdir(objects, { recursive: true });
  let written = 0;
  return {
    /** Synchronous beneath its promise: the thread pool would take twice the time for small files. */
    put: async (hash: string, bytes: Uint8Array): Promise<void> => {
      writeFileSync(join(objects, hash), bytes);
      written++;
      if (written % TURN_EVERY === 0) await setImmediate();
    },
    finish: (manifest: Manifest): Promise<void> =>
      writeFile(join(path, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`),
  };
}

/** Opens the release in `path`. @throws UsageError when there is none that can be read */
export async function openSnapshotFolder(path: string): Promise<CompiledRelease> {
  const file = join(path, MANIFEST_FILE);
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    const message = `"${path}" is no snapshot folder: cannot read its ${MANIFEST_FILE}`;
    throw new UsageError(message, 'snapshot_unreadable', { cause });
  });
  return {
    manifest: parseManifest(text, file),
    readObjects: (refs) =>
      Promise.all(
        refs.map(({ hash }) => readFile(join(path, OBJECTS_FOLDER, hash)).catch(nullWhenMissing)),
      ),
  };
}

/** Whether a folder holds a snapshot and nothing else. @param names of what is in it */
async function isSnapshotFolder(path: string, names: readonly string[]): Promise<boolean> {
  if (!isDeepStrictEqual(names.toSorted(), [MANIFEST_FILE, OBJECTS_FOLDER])) return false;
  const objects = await readdir(join(path, OBJECTS_FOLDER));
  return objects.every((name) => OBJECT_NAME.test(name));
}

function parseManifest(text: string, file: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    const message = `"${file}" is no manifest of this version: build the snapshot again`;
    throw new UsageError(message, 'snapshot_unreadable', { cause });
  }
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/**
 * Says what `folder` is at present.
 * @throws UsageError when it holds anything that a build must not replace
 */
export async function inspectTarget(folder: string) {
  const found = await stat(folder).catch(nullWhenMissing);
  if (!found) return 'nothing';
  if (found.isDirectory()) {
    const names = await readdir(folder);
    if (names.length === 0) return 'empty folder';
    if (await isSnapshotFolder(folder, names)) return 'snapshot';
  }
  const message = `"${folder}" holds something else than a snapshot; name an empty or a new folder`;
  throw new UsageError(message, 'target_occupied');
}

/**
 * Moves the folder `finished` to `target`; a snapshot that was there is moved to `retired`, which
 * must not exist, and stays whole until its successor has taken its name.
 *
 * All three must lie on one file system.
 */
export async function replaceFolder(
  finished: string,
  target: string,
  retired: string,
): Promise<void> {
  // Looked at again: much can have happened during the build.
  const occupant = await inspectTarget(target);
  if (occupant === 'empty folder') await rmdir(target);
  if (occupant === 'snapshot') await rename(target, retired);
  try {
    await rename(finished, target);
  } catch (error) {
    if (occupant === 'snapshot') await rename(retired, target);
    throw error;
  }
}
