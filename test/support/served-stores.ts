/** A Worker of this tree behind a port of this machine, with stores and tokens: wrangler.toml's, without limits. */
import { join } from 'node:path';
import { createTestHarness, experimental_readRawConfig } from 'wrangler';
import { OFFLINE_VARIABLES, PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { LocalKv } from '../../scripts/storage/local-storage.ts';
import type { PlatformBindings } from '../../scripts/storage/open-target.ts';
import { issueToken } from '../../scripts/token/issue-token.ts';
import { publish, valueInKv } from './stores/memory-snapshot.ts';

const UNLIMITED = { limit: 1e6, period: 60 } as const;

export type ServedWorker = Awaited<ReturnType<typeof serveWorker>>;

/** @param main its file in this tree */
export async function serveWorker(main = 'src/worker.ts') {
  Object.assign(process.env, OFFLINE_VARIABLES);
  const file = join(PROJECT_FOLDER, 'wrangler.toml');
  const { build: _, env: __, ...config } = experimental_readRawConfig({ config: file }).rawConfig;
  const ratelimits = config.ratelimits.map((each: object) => ({ ...each, simple: UNLIMITED }));
  const server = createTestHarness({
    root: PROJECT_FOLDER,
    workers: [{ config: { ...config, main: join(PROJECT_FOLDER, main), ratelimits } }],
  });
  const { url } = await server.listen();
  const { SNAPSHOTS, TOKENS } = await server.getWorker<PlatformBindings>().getEnv();
  const values = new Map<string, Uint8Array>();
  return {
    /** Without a slash at the end. */
    origin: url.origin,

    /** Publishes stores, after those that were published before; returns the name of the release. */
    async publish(stores: Iterable<SourceStore>): Promise<string> {
      const before = new Set(values.values());
      const { name } = await publish(values, stores);
      for (const [key, value] of values) {
        if (!before.has(value)) await SNAPSHOTS.put(key, valueInKv(key, value));
      }
      return name;
    },

    /** Issues a token. */
    async issue(): Promise<string> {
      const order = { partner: 'Acme', scopes: ['stores:read:GET'], expiresAt: null, utm: null };
      return (await issueToken(new LocalKv(TOKENS), 'development', order)).token;
    },

    close: () => server.close(),
  };
}
