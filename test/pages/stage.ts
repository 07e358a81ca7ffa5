/** The service under `wrangler dev` with published fixtures and a token, as a browser meets it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programOf } from '../node/run-tool.ts';

export interface PageStage {
  /** Without a slash at its end. */
  readonly origin: string;
  readonly token: string;
  /** The folder of its storage. */
  readonly state: string;
  close(): Promise<void>;
}

interface Announcement {
  readonly url: string;
  readonly requests: readonly string[];
}

/** Starts `npm start` on storage of its own and waits until it serves. */
export async function openPageStage(): Promise<PageStage> {
  const state = await mkdtemp(join(tmpdir(), 'pages-'));
  const port = String(await freePort());
  const child = spawn(process.execPath, [programOf('start'), '--port', port, '--json'], {
    env: { ...process.env, STORE_DIRECTORY_STATE: state },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
    origin: url,
    token: tokenOf(requests),
    state,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(state, { recursive: true, force: true });
    },
  };
}

/** What the service itself answers to a list. */
export async function askForStores<Doc>(
  { origin, token }: PageStage,
  query: string,
): Promise<{ total: number; docs: Doc[] }> {
  const headers = { 'x-access-token': token };
  const response = await fetch(`${origin}/v2/external/stores?${query}`, { headers });
  return (await response.json()) as { total: number; docs: Doc[] };
}

export async function askForAllStores<Doc>(stage: PageStage, query: string): Promise<Doc[]> {
  const { total, docs } = await askForStores<Doc>(stage, query);
  while (docs.length < total) {
    docs.push(...(await askForStores<Doc>(stage, `${query}&skip=${docs.length}`)).docs);
  }
  return docs;
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
