/** The client as partners get it: packed, and installed into an empty folder. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runTool } from '../run-tool.ts';

/** @returns where a partner ran `npm install`, and the bytes of the client's code, compressed */
export async function installClient() {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  const end = () => rm(folder, { recursive: true, force: true });
  const packing = await runTool('client', ['--out', join(folder, 'packed'), '--json']);
  if (packing.code !== 0) throw new Error(`the client was not packed:\n${packing.stderr}`);
  const { tarball, gzipBytes } = JSON.parse(packing.stdout);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', ...options, tarball], {
    cwd: folder,
    // npm is a batch file on Windows, which only a shell runs.
    shell: process.platform === 'win32',
  });
  return { folder, gzipBytes: Number(gzipBytes), end };
}
