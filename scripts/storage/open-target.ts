/** The snapshot storage that `--env` and `--remote` name. */
import type { PlaceOptions } from '../cli/environment-option.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { SnapshotTarget } from './key-value-store.ts';
import { withLocalTarget } from './local-target.ts';
import { openRemoteTarget } from './open-remote.ts';

/** Gives `work` the storage and closes it however `work` ends. */
export async function withTarget<T>(
  { env, remote = false }: PlaceOptions,
  { signal, remark }: Pick<CommandContext, 'signal' | 'remark'>,
  work: (target: SnapshotTarget) => Promise<T>,
): Promise<T> {
  return remote
    ? work(await openRemoteTarget(env, { signal, remark }))
    : withLocalTarget(env, work);
}
