/**
 * The local Cloudflare platform as `wrangler dev` sees it: the same configuration, the same
 * storage. The one place that says where that storage lies.
 *
 * STORE_DIRECTORY_STATE, when set, names the folder that holds it (what `wrangler dev
 * --persist-to` takes) instead of `.wrangler/state` in the repository; tests keep apart by it.
 */
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import type { Environment } from '../../src/auth/token.ts';
import { CommandError, reasonOf } from './command-error.ts';
import { guardSignals } from './interruption.ts';

export const PROJECT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));

const WRANGLER_CONFIG = resolve(PROJECT_FOLDER, 'wrangler.toml');

/** What wrangler needs in its environment to ask nothing of the network. */
export const OFFLINE_VARIABLES = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  // The banner asks the registry for a newer wrangler.
  WRANGLER_HIDE_BANNER: 'true',
} as const;

/** The bindings of wrangler.toml that commands use. */
export interface PlatformBindings {
  readonly ENVIRONMENT: string;
  readonly SNAPSHOT_STORE: string;
  readonly SNAPSHOTS: KVNamespace;
  readonly TOKENS: KVNamespace;
  readonly SNAPSHOT_BUCKET: R2Bucket;
}

/** Returns whether Workers read KV, and not R2, by SNAPSHOT_STORE. @throws CommandError */
export function isKv(store: unknown): boolean {
  if (store === 'kv' || store === 'r2') return store === 'kv';
  throw new CommandError(`SNAPSHOT_STORE in wrangler.toml: got "${store}", expected kv or r2`);
}

/** A command that does not close it, by `await using`, never exits: there is a process behind the bindings. */
export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** Returns the path of wrangler's program, which node runs. */
export function wranglerProgram(): string {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  return resolve(dirname(manifest), 'bin/wrangler.js');
}

/** Returns the folder of local storage, as `wrangler dev --persist-to` takes it. */
export function stateFolder(): string {
  return resolve(process.env.STORE_DIRECTORY_STATE ?? resolve(PROJECT_FOLDER, '.wrangler/state'));
}

/**
 * Opens the local storage of an environment. No account and no network is needed.
 * @throws CommandError storage_unwritable
 */
export async function openPlatform(environment: Environment) {
  Object.assign(process.env, OFFLINE_VARIABLES, workerdVariables());
  const storage = resolve(stateFolder(), 'v3');
  await expectWritable(storage);
  // Loaded on demand: it takes most of a second, which `--help` and wrong usage need not wait for.
  const { getPlatformProxy } = await import('wrangler');
  using _ = guardSignals();
  const { env, dispose } = await getPlatformProxy<PlatformBindings & Record<string, unknown>>({
    configPath: WRANGLER_CONFIG,
    // Development is the top level of the configuration, which the empty name stands for: without
    // any name, wrangler would follow CLOUDFLARE_ENV.
    environment: environment === 'development' ? '' : environment,
    persist: { path: storage },
    remoteBindings: false,
  });
  return { env, dispose, [Symbol.asyncDispose]: dispose };
}

/** Has workerd started by workerd.sh, which says why; Windows has no such shell. */
function workerdVariables(): Record<string, string> {
  if (process.platform === 'win32' || process.env.MINIFLARE_WORKERD_PATH) return {};
  const wrangler = createRequire(createRequire(import.meta.url).resolve('wrangler'));
  const workerd = createRequire(wrangler.resolve('miniflare'));
  return {
    STORE_DIRECTORY_WORKERD: workerd('workerd').default,
    MINIFLARE_WORKERD_PATH: resolve(PROJECT_FOLDER, 'scripts/cli/workerd.sh'),
  };
}

/**
 * Checks that workerd, whose complaints fill a screen, can work in the folder of local storage.
 * @throws CommandError storage_unwritable that says why: another user's, no folder, a full disk
 */
async function expectWritable(storage: string): Promise<void> {
  try {
    await mkdir(storage, { recursive: true });
    const entries = await readdir(storage, { recursive: true, withFileTypes: true });
    const mode = constants.R_OK | constants.W_OK | constants.X_OK;
    await access(storage, mode);
    for (const entry of entries) {
      if (entry.isDirectory()) await access(join(entry.parentPath, entry.name), mode);
    }
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    const { path = storage } = error;
    const message = `local storage cannot be used, "${path}": ${reasonOf(error)}; STORE_DIRECTORY_STATE names another folder`;
    throw new CommandError(message, 'storage_unwritable', { cause });
  }
}
