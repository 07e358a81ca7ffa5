/**
 * Where the project, wrangler and local storage lie on this machine.
 *
 * STORE_DIRECTORY_STATE, when set, names the folder of local storage (what `wrangler dev
 * --persist-to` takes) instead of `.wrangler/state` in the repository; tests keep apart by it.
 */
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));

/** What wrangler needs in its environment to ask nothing of the network. */
export const OFFLINE_VARIABLES = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  // The banner asks the registry for a newer wrangler.
  WRANGLER_HIDE_BANNER: 'true',
} as const;

/** Returns the path of wrangler's program, which node runs. */
export function wranglerProgram(): string {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  return resolve(dirname(manifest), 'bin/wrangler.js');
}

/** Returns the folder of local storage, as `wrangler dev --persist-to` takes it. */
export function stateFolder(): string {
  return resolve(process.env.STORE_DIRECTORY_STATE ?? resolve(PROJECT_FOLDER, '.wrangler/state'));
}
