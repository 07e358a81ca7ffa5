/** The local storage of an environment, the one that `wrangler dev` reads. */
import type { Environment } from '../../src/auth/token.ts';
import { CommandError } from '../cli/command-error.ts';
import { openPlatform, type PlatformBindings } from '../cli/platform.ts';
import type { SnapshotTarget } from './key-value-store.ts';
import { KvTarget } from './local-kv.ts';
import { R2Target } from './local-r2.ts';

/** Gives `work` the local snapshot storage of `environment` and closes it however `work` ends. */
export async function withLocalTarget<T>(
  environment: Environment,
  work: (target: SnapshotTarget) => Promise<T>,
): Promise<T> {
  const platform = await openPlatform(environment);
  try {
    return await work(chooseTarget(platform.env));
  } finally {
    await platform.dispose();
  }
}

/** The storage that SNAPSHOT_STORE in wrangler.toml names. */
export function chooseTarget(
  bindings: Pick<PlatformBindings, 'SNAPSHOT_STORE' | 'SNAPSHOTS' | 'SNAPSHOT_BUCKET'>,
): SnapshotTarget {
  switch (bindings.SNAPSHOT_STORE) {
    case 'kv':
      return new KvTarget(bindings.SNAPSHOTS);
    case 'r2':
      return new R2Target(bindings.SNAPSHOT_BUCKET);
    default:
      throw new CommandError(
        `SNAPSHOT_STORE in wrangler.toml: got "${bindings.SNAPSHOT_STORE}", expected kv or r2`,
      );
  }
}
