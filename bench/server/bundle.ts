/** Bundles of the Workers under test. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { OFFLINE_VARIABLES, PROJECT_FOLDER, WRANGLER_PROGRAM } from '../../scripts/cli/platform.ts';
import { BENCH_FOLDER } from '../data/stores.ts';

/** Workers of the benchmark, by the name under which they are bundled. */
const WORKERS = ['limit', 'obvious', 'd1', 'database'] as const;

/** What is served: `database` is the Worker of D1, which asks through the stand-in for KV. */
export type ContenderName = 'ours' | (typeof WORKERS)[number];

/** Returns the path of the bundle of a Worker. */
export const modulePath = (folder: string, name: ContenderName | 'rate-limiter'): string =>
  join(folder, name, 'worker.js');

/** Bundles the service as it is deployed, and the other Workers the way wrangler does. */
export async function bundleModules(folder: string): Promise<void> {
  const target = join(folder, 'ours');
  const options = ['deploy', '--dry-run', '--env', 'production', '--outdir', target];
  await promisify(execFile)(process.execPath, [WRANGLER_PROGRAM, ...options], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...OFFLINE_VARIABLES },
  });
  await build({
    entryPoints: [...WORKERS, 'rate-limiter'].map((name) => ({
      in: join(BENCH_FOLDER, 'contenders', `${name}.ts`),
      out: join(name, 'worker'),
    })),
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    logLevel: 'warning',
  });
}
