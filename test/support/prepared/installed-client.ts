/** The client as partners get it: packed, and installed into an empty folder. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runTool } from '../run-tool.ts';

/** Pasted as it is, or in quotes of either kind, it makes a file. */
export const FOREIGN = `a'; touch pwned; echo '"; touch pwned; $(touch pwned) \`touch pwned\` #\n touch pwned`;

/** @returns where a partner ran `npm install`, and what was printed when the client was packed, into a folder below with a foreign name */
export async function installClient() {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  const end = () => rm(folder, { recursive: true, force: true });
  const isWindows = process.platform === 'win32';
  // Windows has no such names.
  const out = join(folder, isWindows ? 'packed' : FOREIGN);
  const packing = await runTool('client', ['--out', out]);
  if (packing.code !== 0) throw new Error(`the client was not packed:\n${packing.stderr}`);
  const [tarball = ''] = await readdir(out);
  await rename(join(out, tarball), join(folder, tarball));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', ...options, `./${tarball}`], {
    cwd: folder,
    // npm is a batch file on Windows, which only a shell runs.
    shell: isWindows,
  });
  return { folder, printed: packing.stdout, end };
}
