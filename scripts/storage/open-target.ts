/** The storage that `--env` and `--remote` name: of snapshots, and of tokens. */
import type { Environment } from '../../src/auth/token.ts';
import { CommandError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/environment-option.ts';
import { openPlatform, type PlatformBindings } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { KeyValueStore, KvStore, SnapshotTarget } from './key-value-store.ts';
import { LocalKv } from './local-kv.ts';
import { LocalR2 } from './local-r2.ts';
import { openRemoteTarget, openRemoteTokens } from './open-remote.ts';
import { SYSTEM_CLOCK } from './pace.ts';

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
  const target = (place: string, objects: KeyValueStore) => {
    const site = { environment, place };
    return { site, readersWait: 0, clock: SYSTEM_CLOCK, objects, ledger };
  };
  switch (bindings.SNAPSHOT_STORE) {
    case 'kv':
      return target('kv of this machine', new LocalKv(bindings.SNAPSHOTS));
    case 'r2':
      return target('r2 of this machine', ledger);
    default:
      throw new CommandError(
        `SNAPSHOT_STORE in wrangler.toml: got "${bindings.SNAPSHOT_STORE}", expected kv or r2`,
      );
  }
}
