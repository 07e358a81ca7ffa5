/** The client as partners get it: packed, and installed into an empty folder. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callTool } from './call-tool.ts';

export const runProgram = promisify(execFile);

export const PACKAGE = 'rental-store-directory-client';

/** A partner's folder. */
export interface Partner {
  readonly folder: string;
  /** Where the package is. */
  readonly installed: string;
  /** Bytes of its code, compressed. */
  readonly gzipBytes: number;
  close(): Promise<void>;
}

export async function installClient(): Promise<Partner> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-'));
  const { stdout } = await callTool('client', ['--out', join(folder, 'packed'), '--json']);
  const { tarball, gzipBytes } = JSON.parse(stdout) as { tarball: string; gzipBytes: number };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await runProgram('npm', ['install', ...options, tarball], {
    cwd: folder,
    // npm is a batch file on Windows, which only a shell runs.
    shell: process.platform === 'win32',
  });
  return {
    folder,
    installed: join(folder, 'node_modules', PACKAGE),
    gzipBytes,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The examples of the package's manual as one program. */
export async function manualProgram({ installed }: Partner): Promise<string> {
  const manual = await readFile(join(installed, 'README.md'), 'utf8');
  const examples = [...manual.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example]) => example);
  if (examples.length === 0) throw new Error('the manual has no examples');
  return examples.join('\n');
}
