/** Bundles of the Workers under test. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { OFFLINE_VARIABLES, PROJECT_FOLDER, wranglerProgram } from '../../scripts/cli/platform.ts';
import { BENCH_FOLDER } from '../data/stores.ts';
import type { Modules } from './configuration.ts';

/** Bundles every Worker of the benchmark into `folder`. */
export async function bundleModules(folder: string): Promise<Modules> {
  return {
    ours: await bundleService(join(folder, 'service')),
    limit: await bundleWorker('contenders/limit.ts', folder),
    obvious: await bundleWorker('contenders/obvious.ts', folder),
    d1: await bundleWorker('contenders/d1.ts', folder),
    database: await bundleWorker('workers/database.ts', folder),
    rateLimiter: await bundleWorker('workers/rate-limiter.ts', folder),
  };
}

/** Bundles the service as it is deployed; returns the path of the module. */
async function bundleService(folder: string): Promise<string> {
  const options = ['deploy', '--dry-run', '--env', 'production', '--outdir', folder];
  await promisify(execFile)(process.execPath, [wranglerProgram(), ...options], {
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
