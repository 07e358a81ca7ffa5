/**
 * Where the project, wrangler and local storage lie on this machine.
 *
 * STORE_DIRECTORY_STATE, when set, names the folder of local storage (what `wrangler dev
 * --persist-to` takes) instead of `.wrangler/state` in the repository; tests keep apart by it.
 */
import { resolve } from 'node:path';

export const PROJECT_FOLDER = resolve(import.meta.dirname, '../..');

/** What wrangler needs in its environment to ask nothing of the network. */
export const OFFLINE_VARIABLES = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  // The banner asks the registry for a newer wrangler.
  WRANGLER_HIDE_BANNER: 'true',
} as const;

/** The path of wrangler's program, which node runs. */
export const WRANGLER_PROGRAM = resolve(PROJECT_FOLDER, 'node_modules/wrangler/bin/wrangler.js');

/** Returns the folder of local storage, as `wrangler dev --persist-to` takes it. */
export function stateFolder(): string {
  return resolve(PROJECT_FOLDER, process.env.STORE_DIRECTORY_STATE ?? '.wrangler/state');
}
