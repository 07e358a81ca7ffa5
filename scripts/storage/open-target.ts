/** The storage that `--env` and `--remote` name: of snapshots, and of tokens. */
import type { Environment } from '../../src/auth/token.ts';
import type { PlaceOptions } from '../cli/environment-option.ts';
import { openPlatform, type PlatformBindings } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { KvStore, SnapshotTarget } from './key-value-store.ts';
import { LocalKv } from './local-kv.ts';
import { LocalR2 } from './local-r2.ts';
import { openRemoteTarget, openRemoteTokens } from './open-remote.ts';
import { SYSTEM_CLOCK } from './pace.ts';
import { isKv } from './remote-place.ts';

type Watch = Pick<CommandContext, 'signal' | 'remark'>;

/** Gives `work` the storage of snapshots and closes it however `work` ends. */
export async function withTarget<T>(
  { env, remote = false }: PlaceOptions,
  watch: Watch,
  work: (target: SnapshotTarget) => Promise<T>,
): Promise<T> {
  if (remote) return work(await openRemoteTarget(env, watch));
  return withPlatform(env, (bindings) => work(chooseTarget(env, bindings)));
}

/** Gives `work` the storage of tokens and closes it however `work` ends. */
export async function withTokenStore<T>(
  { env, remote = false }: PlaceOptions,
  watch: Watch,
  work: (store: KvStore) => Promise<T>,
): Promise<T> {
  if (remote) return work(await openRemoteTokens(env, watch));
  return withPlatform(env, ({ TOKENS }) => work(new LocalKv(TOKENS)));
}

/** Gives `work` the local storage, the one that `wrangler dev` reads. */
async function withPlatform<T>(
  environment: Environment,
  work: (bindings: PlatformBindings) => Promise<T>,
): Promise<T> {
  const platform = await openPlatform(environment);
  try {
    return await work(platform.env);
  } finally {
    await platform.dispose();
  }
}

/** The storage that SNAPSHOT_STORE in wrangler.toml names. Readers on this machine look at once. */
export function chooseTarget(
  environment: Environment,
  bindings: Pick<PlatformBindings, 'SNAPSHOT_STORE' | 'SNAPSHOTS' | 'SNAPSHOT_BUCKET'>,
): SnapshotTarget {
  const ledger = new LocalR2(bindings.SNAPSHOT_BUCKET);
  const base = { readersWait: 0, clock: SYSTEM_CLOCK, ledger };
  return isKv(bindings.SNAPSHOT_STORE)
    ? {
        ...base,
        site: { environment, place: 'kv of this machine' },
        objects: new LocalKv(bindings.SNAPSHOTS),
      }
    : { ...base, site: { environment, place: 'r2 of this machine' }, objects: ledger };
}
