/** A Worker of this tree behind a port of this machine, with stores and tokens. */
import { join, resolve } from 'node:path';
import type { KVNamespace } from '@cloudflare/workers-types';
import { build } from 'esbuild';
import { createTestHarness } from 'wrangler';
import { OFFLINE_VARIABLES, PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { LocalKv } from '../../scripts/storage/local-storage.ts';
import { issueToken } from '../../scripts/token/stored-token.ts';
import type { Utm } from '../../src/auth/token-record.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { compileValues, decodePointer, valueInKv } from './stores/memory-snapshot.ts';

interface Bindings {
  readonly SNAPSHOTS: KVNamespace;
  readonly TOKENS: KVNamespace;
}

interface WorkerOptions {
  /** Its file in this tree. */
  readonly entry: string;
  /** Where it is bundled; the caller removes it. */
  readonly folder: string;
  /** Requests that its limiters let through a minute. */
  readonly requests: number;
  /** The folder of its pages; without it there are none. */
  readonly pages?: string | undefined;
}

export type ServedWorker = Awaited<ReturnType<typeof serveWorker>>;

export async function serveWorker({ entry, folder, requests, pages }: WorkerOptions) {
  Object.assign(process.env, OFFLINE_VARIABLES);
  const main = join(folder, 'worker.js');
  await build({
    entryPoints: [resolve(PROJECT_FOLDER, entry)],
    outfile: main,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['cloudflare:*'],
    logLevel: 'silent',
  });
  const assets = pages === undefined ? {} : { assets: assetsIn(pages) };
  const config = { ...workerConfig(main, requests), ...assets };
  const server = createTestHarness({ workers: [{ config }] });
  const { url } = await server.listen();
  const { SNAPSHOTS, TOKENS } = await server.getWorker<Bindings>('served').getEnv();
  const stored = new Set<string>();
  return {
    /** Without a slash at the end. */
    origin: url.origin,

    /** Publishes stores, after those that were published before; returns the name of the release. */
    async publish(stores: Iterable<SourceStore>): Promise<string> {
      const before = decodePointer(await SNAPSHOTS.get(POINTER_KEY, 'arrayBuffer'));
      const { values, name } = await compileValues(stores, '2026-02-03T04:05:06.000Z', before);
      for (const [key, value] of values) {
        if (!stored.has(key) || key === POINTER_KEY)
          await SNAPSHOTS.put(key, valueInKv(key, value));
        stored.add(key);
      }
      return name;
    },

    /** Issues a token. @param utm parameters that its `pageUrl`s carry */
    async issue(utm: Utm | null = null): Promise<string> {
      const order = { partner: 'Acme', scopes: ['stores:read:GET'], expiresAt: null, utm };
      return (await issueToken(new LocalKv(TOKENS), 'development', order)).token;
    },

    close: () => server.close(),
  };
}

export interface ServedStores extends ServedWorker {
  readonly token: string;
}

/** The service with these stores. `serveWorker` has the same parameters. */
export async function serveStores(
  stores: Iterable<SourceStore>,
  folder: string,
  pages?: string,
): Promise<ServedStores> {
  const worker = await serveWorker({ entry: 'src/worker.ts', folder, requests: 10_000, pages });
  await worker.publish(stores);
  return { ...worker, token: await worker.issue() };
}

/** As wrangler.toml has them. */
function assetsIn(directory: string) {
  return { directory, binding: 'ASSETS', run_worker_first: true, html_handling: 'none' } as const;
}

function workerConfig(main: string, requests: number) {
  const simple = { limit: requests, period: 60 } as const;
  return {
    name: 'served',
    main,
    no_bundle: true,
    compatibility_date: '2026-08-15',
    vars: {
      ENVIRONMENT: 'development',
      SNAPSHOT_STORE: 'kv',
      RATE_LIMIT: `${requests}`,
      RATE_LIMIT_PERIOD: '60',
      GUESS_LIMIT_PERIOD: '60',
    },
    kv_namespaces: ['SNAPSHOTS', 'TOKENS'].map((binding) => ({ binding, id: binding })),
    r2_buckets: [{ binding: 'SNAPSHOT_BUCKET', bucket_name: 'snapshots' }],
    ratelimits: ['RATE_LIMITER', 'GUESS_LIMITER'].map((name) => ({
      name,
      namespace_id: name,
      simple,
    })),
  };
}
