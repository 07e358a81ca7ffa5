/** The service under `wrangler dev` with published fixtures and a token, as `npm start` has it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startTool } from '../run-tool.ts';

export interface Service {
  /** Without a slash at its end. */
  readonly origin: string;
  readonly token: string;
  /** The folder of its storage. */
  readonly state: string;
}

/**
 * Starts `npm start` on storage of its own and waits until it serves.
 * @param options of the command; without any it serves the fixtures
 */
export async function startService(
  ...options: readonly string[]
): Promise<Service & { end(): Promise<void> }> {
  const state = await mkdtemp(join(tmpdir(), 'service-'));
  const args = ['--port', String(await freePort()), '--json', ...options];
  const tool = startTool('start', args, { STORE_DIRECTORY_STATE: state });
  // Whatever ends the tests, no server is left behind.
  const kill = () => tool.child.kill('SIGTERM');
  process.once('exit', kill);
  await tool.untilPrinted('}\n');
  const { url, token, error } = JSON.parse(tool.output.stdout);
  if (error) throw new Error(error.message);
  return {
    origin: url,
    token,
    state,
    async end() {
      process.removeListener('exit', kill);
      kill();
      await tool.ended;
      await rm(state, { recursive: true, force: true });
    },
  };
}
