/** The service under `wrangler dev` with published fixtures and a token, as `npm start` has it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { programOf } from '../run-tool.ts';
import type { Prepared } from './prepared.ts';

export interface Service {
  /** Without a slash at its end. */
  readonly origin: string;
  readonly token: string;
  /** The folder of its storage. */
  readonly state: string;
}

interface Announcement {
  readonly url: string;
  readonly requests: readonly string[];
}

/** Starts `npm start` on storage of its own and waits until it serves. */
export async function startService(): Promise<Prepared<Service>> {
  const state = await mkdtemp(join(tmpdir(), 'service-'));
  const port = String(await freePort());
  const child = spawn(process.execPath, [programOf('start'), '--port', port, '--json'], {
    env: { ...process.env, STORE_DIRECTORY_STATE: state },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Whatever ends the tests, no server is left behind.
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  const ended = once(child, 'close');
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const announced = Promise.withResolvers<Announcement>();
  announced.promise.catch(() => {});
  let stdout = '';
  child.stdout.on('data', (data) => {
    stdout += data;
    const announcement = parseWhole(stdout);
    if (announcement) announced.resolve(announcement);
  });
  ended.then(([code]) => {
    announced.reject(new Error(`npm start ended with ${code}:\n${stdout}\n${stderr}`));
  });
  const { url, requests } = await announced.promise;
  return {
    value: { origin: url, token: tokenOf(requests), state },
    async end() {
      process.removeListener('exit', kill);
      kill();
      await ended;
      await rm(state, { recursive: true, force: true });
    },
  };
}

/** The announcement, once all of it has been printed. */
function parseWhole(text: string): Announcement | null {
  try {
    const printed = JSON.parse(text);
    return printed.requests === undefined ? null : printed;
  } catch {
    return null;
  }
}

/** The demo token, which the printed requests carry. */
function tokenOf(requests: readonly string[]): string {
  const token = requests[0]?.match(/x-access-token: ([^']+)/)?.[1];
  if (token === undefined) throw new Error(`no token in ${requests[0]}`);
  return token;
}
