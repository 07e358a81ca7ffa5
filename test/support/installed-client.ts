/** A partner with the client, in a folder of a test. */
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askPrepared } from './prepared/ask-prepared.ts';

export const runProgram = promisify(execFile);

export const PACKAGE = 'rental-store-directory-client';

/**
 * Makes `folder` a copy of the one in which the client was packed and installed for all tests.
 * @returns where the package is
 */
export async function installClient(folder: string): Promise<string> {
  const client = await askPrepared('client');
  await cp(client.folder, folder, { recursive: true });
  return join(folder, 'node_modules', PACKAGE);
}

/** The examples of the package's manual as one program. */
export async function manualProgram(installed: string): Promise<string> {
  const manual = await readFile(join(installed, 'README.md'), 'utf8');
  const examples = [...manual.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example]) => example);
  if (examples.length === 0) throw new Error('the manual has no examples');
  return examples.join('\n');
}
