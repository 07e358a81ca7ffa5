/** Folders for the tests of a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes a folder that is removed after the tests, and after all that the file does then. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-directory-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
