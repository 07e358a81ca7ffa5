/**
 * An environment as `wrangler dev` sees it: what wrangler.toml binds, and its local storage, of which no account
 * and no network is needed.
 */
import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import { parse } from 'smol-toml';
import * as z from 'zod';
import type { Environment } from '../../src/auth/token.ts';
import { CommandError, messageOf, reasonOf, UsageError } from '../cli/command-error.ts';
import { guardSignals } from '../cli/interruption.ts';
import { PROJECT_FOLDER, stateFolder } from '../cli/platform.ts';

const WRANGLER_CONFIG = resolve(PROJECT_FOLDER, 'wrangler.toml');

/** What commands read of an environment in wrangler.toml. */
const environmentSchema = z.object({
  vars: z.record(z.string(), z.unknown()),
  kv_namespaces: z.array(z.object({ binding: z.string(), id: z.string().optional() })),
  r2_buckets: z.array(
    z.object({
      binding: z.string(),
      bucket_name: z.string().optional(),
      jurisdiction: z.string().optional(),
    }),
  ),
  routes: z
    .array(z.object({ pattern: z.string(), custom_domain: z.boolean().optional() }).or(z.string()))
    .optional(),
});

export type EnvironmentConfig = z.output<typeof environmentSchema>;

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

/**
 * Opens the local storage of an environment. No account and no network is needed.
 * @throws CommandError storage_unwritable
 */
export async function openPlatform(environment: Environment) {
  Object.assign(process.env, workerdVariables());
  const storage = resolve(stateFolder(), 'v3');
  await expectWritable(storage);
  const { vars, kv_namespaces, r2_buckets } = await readEnvironmentConfig(environment);
  // Loaded on demand: `--help` and wrong usage need not wait for it. It is what wrangler runs; to load that takes
  // a second more.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare');
  using _ = guardSignals();
  const server = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: '',
      cf: false,
      resourcePersistencePath: storage,
      bindings: vars as Record<string, string>,
      kvNamespaces: Object.fromEntries(kv_namespaces.map(({ binding, id = '' }) => [binding, id])),
      r2Buckets: Object.fromEntries(
        r2_buckets.map((each) => [each.binding, each.bucket_name ?? '']),
      ),
    }),
  );
  const env = await server.getBindings<PlatformBindings>();
  const dispose = () => server.dispose();
  return { env, dispose, [Symbol.asyncDispose]: dispose };
}

/**
 * Reads an environment of wrangler.toml. Development is its top level; the others inherit no bindings.
 * @throws UsageError when the file cannot be read
 */
export async function readEnvironmentConfig(
  environment: Environment,
  file = WRANGLER_CONFIG,
): Promise<EnvironmentConfig> {
  try {
    const config = parse(await readFile(file, 'utf8')) as { env?: Record<string, unknown> };
    return environmentSchema.parse(
      environment === 'development' ? config : config.env?.[environment],
    );
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new UsageError(`"${file}", ${environment}: ${reason}`, 'usage', { cause });
  }
}

/** Has workerd started by workerd.sh, which says why; Windows has no such shell. */
function workerdVariables(): Record<string, string> {
  if (process.platform === 'win32' || process.env.MINIFLARE_WORKERD_PATH) return {};
  const miniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  return {
    STORE_DIRECTORY_WORKERD: miniflare('workerd').default,
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
