/** The storage that `--env` and `--remote` name: of snapshots, and of tokens. On Cloudflare wrangler.toml binds it. */
import type { Environment } from '../../src/auth/token.ts';
import { UsageError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { readApiAccess } from './api-access.ts';
import { cloudflareApi } from './cloudflare-api.ts';
import { cloudflareKv } from './cloudflare-kv.ts';
import { cloudflareR2 } from './cloudflare-r2.ts';
import { expectIds, openPlatform, readEnvironmentConfig } from './environment.ts';
import type { KvStore, SnapshotTarget } from './key-value-store.ts';
import { LocalKv, LocalR2 } from './local-storage.ts';
import { SYSTEM_CLOCK } from './pace.ts';

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
  const { env: bindings, dispose } = await openPlatform(env);
  const ledger = new LocalR2(bindings.SNAPSHOT_BUCKET);
  const store = bindings.SNAPSHOT_STORE;
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
export async function openTarget(place: PlaceOptions, context: CommandContext) {
  const storage = await openStorage(place, context);
  return closedWith(storage, storage.target);
}

/** Opens the storage of tokens in the same way. */
export async function openTokens(place: PlaceOptions, context: CommandContext) {
  const storage = await openStorage(place, context);
  return closedWith(storage, storage.tokens);
}

function openStorage({ env, remote }: PlaceOptions, context: CommandContext): Promise<Storage> {
  return remote ? openRemote(env, context) : openLocal(env, context);
}

const closedWith = <Part extends object>(storage: Storage, part: Part) =>
  Object.assign(part, { [Symbol.asyncDispose]: storage[Symbol.asyncDispose] });
