/** The storage that `--env` and `--remote` name: of snapshots, and of tokens. On Cloudflare wrangler.toml binds it. */
import type { Environment } from '../../src/auth/token.ts';
import { UsageError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import { shellWord } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { readApiAccess } from './api-answer.ts';
import { type CloudflareApi, cloudflareApi } from './cloudflare-api.ts';
import { cloudflareKv } from './cloudflare-kv.ts';
import { cloudflareR2 } from './cloudflare-r2.ts';
import {
  type EnvironmentConfig,
  isKv,
  openPlatform,
  type PlatformBindings,
  readEnvironmentConfig,
} from './environment.ts';
import type { KvStore, SnapshotTarget } from './key-value-store.ts';
import { LocalKv, LocalR2 } from './local-storage.ts';
import { SYSTEM_CLOCK } from './pace.ts';

/** Milliseconds; the command announces longer waits. */
const PATIENCE = 5_000;

/**
 * Milliseconds after which no isolate reads what the pointer named before: KV may be two minutes late,
 * isolates look every half minute, and half a minute is to spare. A release that an isolate falls back
 * on for longer may lack objects by then; `insteadOf` of release-holder.ts takes the live one instead.
 */
const READERS_WAIT = 3 * 60_000;

/** Chooses the storage that SNAPSHOT_STORE in wrangler.toml names. Readers on this machine look at once. */
export function chooseTarget(
  environment: Environment,
  bindings: Pick<PlatformBindings, 'SNAPSHOT_STORE' | 'SNAPSHOTS' | 'SNAPSHOT_BUCKET'>,
  context: CommandContext,
): SnapshotTarget {
  const ledger = new LocalR2(bindings.SNAPSHOT_BUCKET);
  const [place, objects] = isKv(bindings.SNAPSHOT_STORE)
    ? ['kv of this machine', new LocalKv(bindings.SNAPSHOTS)]
    : ['r2 of this machine', ledger];
  const site = { environment, place };
  return { site, context, readersWait: 0, clock: SYSTEM_CLOCK, objects, ledger };
}

/**
 * Opens the snapshot storage of an environment on Cloudflare's platform: KV or R2, as SNAPSHOT_STORE says. Nothing
 * is asked of the network yet.
 * @throws UsageError when variables are missing, or wrangler.toml holds placeholders
 */
export async function openRemoteTarget(
  environment: Environment,
  context: CommandContext,
): Promise<SnapshotTarget> {
  const api = openApi(environment, context);
  const config = await readRemoteConfig(environment);
  const { namespaceId, bucket, jurisdiction } = snapshotPlace(config);
  const ledger = cloudflareR2(api, bucket, jurisdiction);
  const rules = jurisdiction === null ? '' : ` (${jurisdiction})`;
  const [place, objects] =
    namespaceId === null
      ? [`r2 ${bucket}${rules}`, ledger]
      : [`kv ${namespaceId}`, cloudflareKv(api, namespaceId)];
  const site = { environment, place };
  const { clock, onWait } = api;
  return { site, context, readersWait: READERS_WAIT, clock, onWait, objects, ledger };
}

function openApi(environment: Environment, { signal, remark }: CommandContext): CloudflareApi {
  // What is wrong whatever the variables are comes first.
  if (environment === 'development') {
    throw new UsageError('--remote needs --env staging or --env production: development is local');
  }
  const onWait = (milliseconds: number, reason: string) => {
    if (milliseconds > PATIENCE) remark(`waiting ${Math.round(milliseconds / 1000)} s: ${reason}`);
  };
  return cloudflareApi(readApiAccess(process.env), { onWait, signal });
}

/** Opens the storage of snapshots that `--env` and `--remote` name; `await using` closes it. */
export function openTarget(place: PlaceOptions, context: CommandContext) {
  const openRemote = () => openRemoteTarget(place.env, context);
  return openStorage(place, openRemote, (bindings) => chooseTarget(place.env, bindings, context));
}

/** Opens the storage of tokens in the same way. */
export function openTokens(place: PlaceOptions, context: CommandContext) {
  const openRemote = async (): Promise<KvStore> => {
    const api = openApi(place.env, context);
    return cloudflareKv(api, namespaceOf(await readRemoteConfig(place.env), 'TOKENS'));
  };
  return openStorage(place, openRemote, ({ TOKENS }) => new LocalKv(TOKENS));
}

async function openStorage<Storage extends object>(
  { env, remote = false }: PlaceOptions,
  openRemote: () => Promise<Storage>,
  openLocal: (bindings: PlatformBindings) => Storage,
): Promise<Storage & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const storage = remote ? await openRemote() : openLocal(opened.use(await openPlatform(env)).env);
  // From here on the caller closes it.
  const held = opened.move();
  return Object.assign(storage, { [Symbol.asyncDispose]: () => held.disposeAsync() });
}

const BUCKET_BINDING = 'SNAPSHOT_BUCKET';

/** Ids that Cloudflare gives; the repository ships with names in their place. */
export const NAMESPACE_ID = /^[0-9a-f]{32}$/;

/** Reads wrangler.toml, or the file that STORE_DIRECTORY_CONFIG names. */
export const readRemoteConfig = (environment: Environment) =>
  readEnvironmentConfig(environment, process.env.STORE_DIRECTORY_CONFIG);

/**
 * Returns where snapshots are, as SNAPSHOT_STORE says: in a namespace, or, where there is none, in the bucket, which
 * holds the log in any case.
 * @throws UsageError, CommandError
 */
export function snapshotPlace(config: EnvironmentConfig) {
  const { r2_buckets, vars } = config;
  const { SNAPSHOT_STORE: store, ENVIRONMENT: environment } = vars;
  const namespaceId = isKv(store) ? namespaceOf(config, 'SNAPSHOTS') : null;
  const { bucket_name: bucket, jurisdiction = null } =
    r2_buckets.find(({ binding }) => binding === BUCKET_BINDING) ?? {};
  if (bucket) return { namespaceId, bucket, jurisdiction };
  throw new UsageError(`the R2 bucket ${BUCKET_BINDING} of ${environment} has no name`, 'usage', {
    explanation: `Set bucket_name in wrangler.toml, at [[env.${environment}.r2_buckets]].`,
  });
}

/** Returns the KV namespace of a binding. @throws UsageError */
export function namespaceOf({ kv_namespaces, vars }: EnvironmentConfig, binding: string): string {
  const id = kv_namespaces.find((each) => each.binding === binding)?.id;
  if (id !== undefined && NAMESPACE_ID.test(id)) return id;
  const problem = id === undefined ? 'has no id' : `has a placeholder for an id, "${id}"`;
  throw new UsageError(`the KV namespace ${binding} of ${vars.ENVIRONMENT} ${problem}`, 'usage', {
    explanation:
      `Create the namespace once: npx wrangler kv namespace create ${shellWord(id ?? binding.toLowerCase())}\n` +
      `Then put the id that it prints into wrangler.toml, at [[env.${vars.ENVIRONMENT}.kv_namespaces]]\n` +
      `with binding = "${binding}", and deploy.`,
  });
}
