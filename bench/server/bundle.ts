/** Bundles of the Workers under test. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { OFFLINE_VARIABLES, PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { BENCH_FOLDER } from '../data/stores.ts';
import type { Modules } from './configuration.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Bundles every Worker of the benchmark into `folder`. */
export async function bundleModules(folder: string): Promise<Modules> {
  const [ours, limit, obvious, d1, database, rateLimiter] = await Promise.all([
    bundleService(join(folder, 'service')),
    bundleWorker('contenders/limit.ts', folder),
    bundleWorker('contenders/obvious.ts', folder),
    bundleWorker('contenders/d1.ts', folder),
    bundleWorker('workers/database.ts', folder),
    bundleWorker('workers/rate-limiter.ts', folder),
  ]);
  return { ours, limit, obvious, d1, database, rateLimiter };
}

/** Bundles the service as it is deployed; returns the path of the module. */
async function bundleService(folder: string): Promise<string> {
  const wrangler = join(dirname(require.resolve('wrangler/package.json')), 'bin/wrangler.js');
  const options = ['deploy', '--dry-run', '--env', 'production', '--outdir', folder];
  await run(process.execPath, [wrangler, ...options], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...OFFLINE_VARIABLES },
  });
  return join(folder, 'worker.js');
}

/** Bundles a Worker of the benchmark the way wrangler does; returns the path of the module. */
async function bundleWorker(source: string, folder: string): Promise<string> {
  const outfile = join(folder, source.replaceAll('/', '-').replace(/\.ts$/, '.js'));
  await build({
    entryPoints: [join(BENCH_FOLDER, source)],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    logLevel: 'warning',
  });
  return outfile;
}
