/**
 * The storage that `--env` and `--remote` name: of snapshots, and of tokens. On Cloudflare wrangler.toml binds it; on this
 * machine `wrangler dev` reads the same, and it needs neither an account nor a network.
 */
import { access, constants, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import { parse } from 'smol-toml';
import * as z from 'zod';
import type { Environment } from '../../src/auth/token.ts';
import { CommandError, messageOf, reasonOf, UsageError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import { guardSignals } from '../cli/interruption.ts';
import { shellWord } from '../cli/output.ts';
import { SYSTEM_CLOCK } from '../cli/pace.ts';
import { PROJECT_FOLDER, stateFolder } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { readApiAccess } from './api-access.ts';
import { cloudflareApi } from './cloudflare-api.ts';
import { cloudflareKv } from './cloudflare-kv.ts';
import { cloudflareR2 } from './cloudflare-r2.ts';
import type { KvStore, SnapshotTarget } from './key-value-store.ts';
import { LocalKv, LocalR2 } from './local-storage.ts';

/**
 * Milliseconds after which no isolate reads what the pointer named before: KV may be two minutes late,
 * isolates look every half minute, and half a minute is to spare. A release that an isolate falls back
 * on for longer may lack objects by then; `insteadOf` of release-holder.ts takes the live one instead.
 */
const READERS_WAIT = 3 * 60_000;

interface Storage extends AsyncDisposable {
  readonly target: SnapshotTarget;
  readonly tokens: KvStore;
}

/** Opens the storage of an environment on this machine. Readers there look at once. */
export async function openLocal(env: Environment, context: CommandContext): Promise<Storage> {
  const { env: bindings, store, dispose } = await openPlatform(env);
  const ledger = new LocalR2(bindings.SNAPSHOT_BUCKET);
  const objects = store === 'kv' ? new LocalKv(bindings.SNAPSHOTS) : ledger;
  const site = { environment: env, place: `${store} of this machine` };
  const target = { site, context, readersWait: 0, clock: SYSTEM_CLOCK, objects, ledger };
  return { target, tokens: new LocalKv(bindings.TOKENS), [Symbol.asyncDispose]: dispose };
}

/**
 * Opens the storage of an environment on Cloudflare's platform. Nothing is asked of the network yet.
 * @throws UsageError when variables are missing; CommandError ids_missing while wrangler.toml holds placeholders
 */
export async function openRemote(env: Environment, context: CommandContext): Promise<Storage> {
  // What is wrong whatever the variables are comes first.
  if (env === 'development') {
    throw new UsageError('--remote needs --env staging or --env production: development is local');
  }
  const api = cloudflareApi(readApiAccess(process.env), context);
  const config = await readEnvironmentConfig(env);
  const ids = expectIds(config);
  const { bucket_name, jurisdiction } = config.r2_buckets[0];
  const ledger = cloudflareR2(api, bucket_name, jurisdiction);
  const rules = jurisdiction === undefined ? '' : ` (${jurisdiction})`;
  const [place, objects] =
    config.vars.SNAPSHOT_STORE === 'kv'
      ? [`kv ${ids.SNAPSHOTS}`, cloudflareKv(api, ids.SNAPSHOTS)]
      : [`r2 ${bucket_name}${rules}`, ledger];
  const site = { environment: env, place };
  const readersWait = READERS_WAIT;
  return {
    target: { site, context, readersWait, clock: SYSTEM_CLOCK, objects, ledger },
    tokens: cloudflareKv(api, ids.TOKENS),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Opens the storage of snapshots that `--env` and `--remote` name; `await using` closes it. */
export function openTarget(place: PlaceOptions, context: CommandContext) {
  return openPart('target', place, context);
}

/** Opens the storage of tokens in the same way. */
export function openTokens(place: PlaceOptions, context: CommandContext) {
  return openPart('tokens', place, context);
}

async function openPart<Part extends 'target' | 'tokens'>(
  part: Part,
  { env, remote }: PlaceOptions,
  context: CommandContext,
) {
  const storage = await (remote ? openRemote : openLocal)(env, context);
  return Object.assign(storage[part], { [Symbol.asyncDispose]: storage[Symbol.asyncDispose] });
}

const WRANGLER_CONFIG = resolve(PROJECT_FOLDER, 'wrangler.toml');

/** What commands read of an environment in wrangler.toml. */
const environmentSchema = z.object({
  vars: z.looseObject({ ENVIRONMENT: z.string(), SNAPSHOT_STORE: z.enum(['kv', 'r2']) }),
  kv_namespaces: z.array(z.object({ binding: z.string(), id: z.string().default('') })),
  r2_buckets: z.tuple([
    z.object({
      binding: z.literal('SNAPSHOT_BUCKET'),
      bucket_name: z.string(),
      jurisdiction: z.string().optional(),
    }),
  ]),
  routes: z
    .array(z.object({ pattern: z.string(), custom_domain: z.boolean().optional() }).or(z.string()))
    .optional(),
});

export type EnvironmentConfig = z.output<typeof environmentSchema>;

/** The bindings of wrangler.toml that commands use. */
export interface PlatformBindings {
  readonly SNAPSHOTS: KVNamespace;
  readonly TOKENS: KVNamespace;
  readonly SNAPSHOT_BUCKET: R2Bucket;
}

/**
 * Opens the local storage of an environment. No account and no network is needed. A command that does not dispose of it
 * never exits: there is a process behind the bindings.
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
      kvNamespaces: Object.fromEntries(kv_namespaces.map(({ binding, id }) => [binding, id])),
      r2Buckets: { SNAPSHOT_BUCKET: r2_buckets[0].bucket_name },
    }),
  );
  const env = await server.getBindings<PlatformBindings>();
  return { env, store: vars.SNAPSHOT_STORE, dispose: () => server.dispose() };
}

/**
 * Reads an environment of wrangler.toml, or of the file that STORE_DIRECTORY_CONFIG names. Development is its top level;
 * the others inherit no bindings.
 * @throws UsageError when the file cannot be read
 */
export async function readEnvironmentConfig(environment: Environment): Promise<EnvironmentConfig> {
  const file = process.env.STORE_DIRECTORY_CONFIG ?? WRANGLER_CONFIG;
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

/** Ids that Cloudflare gives; the repository ships with names in their place. */
const NAMESPACE_ID = /^[0-9a-f]{32}$/;

/**
 * Returns the ids of the KV namespaces.
 * @throws CommandError ids_missing while there are names in the place of ids
 */
export function expectIds({ kv_namespaces, vars: { ENVIRONMENT } }: EnvironmentConfig) {
  const idOf = (binding: string) => kv_namespaces.find((each) => each.binding === binding)?.id;
  const ids = { SNAPSHOTS: idOf('SNAPSHOTS') ?? '', TOKENS: idOf('TOKENS') ?? '' };
  const missing = Object.entries(ids).filter(([, id]) => !NAMESPACE_ID.test(id));
  if (missing.length === 0) return ids;
  const found = missing.map(([binding, id]) => `${binding} has "${id}"`).join(', ');
  const message = `wrangler.toml lacks the ids of ${ENVIRONMENT}: ${found}. Nothing was done`;
  throw new CommandError(message, 'ids_missing', {
    explanation: `Create each namespace once, and put the id that is printed into wrangler.toml, at\n[[env.${ENVIRONMENT}.kv_namespaces]]:\n\n${missing
      .map(([binding, id]) => `  npx wrangler kv namespace create ${shellWord(id || binding)}`)
      .join('\n')}\n\ndocs/operations.md, "One-time set-up", has the whole order.`,
  });
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
    await access(storage, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    const { path = storage } = error;
    const message = `local storage cannot be used, "${path}": ${reasonOf(error)}; STORE_DIRECTORY_STATE names another folder`;
    throw new CommandError(message, 'storage_unwritable', { cause });
  }
}
