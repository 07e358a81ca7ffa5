/** Serves `test/load/support/ending-worker.ts` over published stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KVNamespace } from '@cloudflare/workers-types';
import { build } from 'esbuild';
import { createTestHarness } from 'wrangler';
import { OFFLINE_VARIABLES, PROJECT_FOLDER } from '../../../scripts/cli/platform.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LocalKv } from '../../../scripts/storage/local-kv.ts';
import { issueToken } from '../../../scripts/token/issue-token.ts';
import { OBJECT_PREFIX, POINTER_KEY } from '../../../src/snapshot/keys.ts';
import { compileValues, decodePointer } from '../../support/stores/memory-snapshot.ts';
import { workerConfig } from '../../support/worker-config.ts';
import type { StorageOrder, StorageReport } from './ending-orders.ts';

interface Bindings {
  readonly SNAPSHOTS: KVNamespace;
  readonly TOKENS: KVNamespace;
}

/** What a request sends, and when it is ended: see `ending-worker.ts`. */
export interface Ending {
  readonly at?: number;
  readonly after?: number;
  /** Sent in the place of the one that was issued. */
  readonly token?: string;
}

export interface Asked {
  readonly status: number;
  readonly body: string;
  readonly release: string | null;
}

export type EndingStage = Awaited<ReturnType<typeof openEndingStage>>;

export async function openEndingStage() {
  Object.assign(process.env, OFFLINE_VARIABLES);
  const folder = await mkdtemp(join(tmpdir(), 'ending-'));
  const main = join(folder, 'worker.js');
  await build({
    entryPoints: [join(PROJECT_FOLDER, 'test/load/support/ending-worker.ts')],
    bundle: true,
    format: 'esm',
    outfile: main,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
  });
  const server = createTestHarness({ workers: [{ config: workerConfig('ending', main, 1e6) }] });
  const { url } = await server.listen();
  const bindings = await server.getWorker<Bindings>('ending').getEnv();
  const order = { partner: 'Acme', scopes: ['stores:read:GET'], expiresAt: null, utm: null };
  const tokens = new LocalKv(bindings.TOKENS);
  const { token } = await issueToken(tokens, 'development', order, Date.now());
  /** Keys of the objects in storage. */
  const objects = new Set<string>();
  return {
    /** Publishes stores, after those that were published before. */
    async publish(stores: Iterable<SourceStore>): Promise<string> {
      const before = decodePointer(await bindings.SNAPSHOTS.get(POINTER_KEY, 'arrayBuffer'));
      const { manifest, values } = await compileValues(stores, new Date().toISOString(), before);
      const put = async ([key, value]: [string, Uint8Array]) => {
        if (objects.has(key)) return;
        if (key.startsWith(OBJECT_PREFIX)) objects.add(key);
        const text = objects.has(key) ? Buffer.from(value).toString('base64') : value;
        await bindings.SNAPSHOTS.put(key, text);
      };
      await Promise.all([...values].map(put));
      return `${(before?.number ?? 0) + 1}-${manifest.release}`;
    },

    /** Asks a service, which is a fresh isolate when it is asked for the first time. */
    async ask(service: string, path: string, ending: Ending = {}): Promise<Asked> {
      const headers = new Headers({
        'x-access-token': ending.token ?? token,
        'x-service': service,
      });
      if (ending.at !== undefined) headers.set('x-ends-at', `${ending.at}`);
      if (ending.after !== undefined) headers.set('x-ends-after', `${ending.after}`);
      const response = await fetch(url.origin + path, { headers });
      const release = response.headers.get('x-snapshot-release');
      return { status: response.status, body: await response.text(), release };
    },

    /** Sets how the storage of a service behaves; returns what it was asked for so far. */
    async storage(service: string, wanted: StorageOrder = {}): Promise<StorageReport> {
      const body = JSON.stringify(wanted);
      const headers = { 'x-service': service };
      const response = await fetch(`${url.origin}/storage`, { method: 'POST', headers, body });
      return (await response.json()) as StorageReport;
    },

    async close(): Promise<void> {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
