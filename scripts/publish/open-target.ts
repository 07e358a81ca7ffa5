/** The snapshot storage that `--env` and `--remote` name. */
import type { PlaceOptions } from '../cli/environment-option.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { openRemoteTarget } from '../remote/open-remote.ts';
import { withLocalTarget } from './local-target.ts';
import type { SnapshotTarget } from './snapshot-target.ts';

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
