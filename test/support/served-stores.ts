/** The service of this tree behind a port of this machine, with stores and a token. */
import type { KVNamespace } from '@cloudflare/workers-types';
import { createTestHarness } from 'wrangler';
import { OFFLINE_VARIABLES } from '../../scripts/cli/platform.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { LocalKv } from '../../scripts/storage/local-kv.ts';
import { issueToken } from '../../scripts/token/issue-token.ts';
import type { Utm } from '../../src/model/utm.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { bundleWorker } from './bundle.ts';
import { compileValues } from './stores/memory-snapshot.ts';
import { workerConfig } from './worker-config.ts';

interface Bindings {
  readonly SNAPSHOTS: KVNamespace;
  readonly TOKENS: KVNamespace;
}

export interface ServedStores {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly token: string;
  /** Issues another token, whose `pageUrl`s carry these parameters. */
  issue(utm: Utm): Promise<string>;
  close(): Promise<void>;
}

/**
 * @param folder where the Worker is bundled; the caller removes it
 * @param pages the folder of its pages; without it there are none
 */
export async function serveStores(
  stores: Iterable<SourceStore>,
  folder: string,
  pages?: string,
): Promise<ServedStores> {
  Object.assign(process.env, OFFLINE_VARIABLES);
  const config = {
    ...workerConfig('served', await bundleWorker(folder), 10_000),
    ...(pages !== undefined && { assets: assetsIn(pages) }),
  };
  const server = createTestHarness({ workers: [{ config }] });
  const { url } = await server.listen();
  const bindings = await server.getWorker<Bindings>('served').getEnv();
  const { values } = await compileValues(stores, '2026-02-03T04:05:06.000Z');
  for (const [key, value] of values) {
    const stored = key.startsWith(OBJECT_PREFIX) ? Buffer.from(value).toString('base64') : value;
    await bindings.SNAPSHOTS.put(key, stored);
  }
  const tokens = new LocalKv(bindings.TOKENS);
  const issue = async (utm: Utm | null) => {
    const order = { partner: 'Acme', scopes: ['stores:read:GET'], expiresAt: null, utm };
    return (await issueToken(tokens, 'development', order, Date.now())).token;
  };
  return { origin: url.origin, token: await issue(null), issue, close: () => server.close() };
}

/** As wrangler.toml has them. */
function assetsIn(directory: string) {
  return { directory, binding: 'ASSETS', run_worker_first: true, html_handling: 'none' } as const;
}
