/** The token storage that `--env` and `--remote` name. */
import type { PlaceOptions } from '../cli/environment-option.ts';
import { openPlatform } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { KvTokenStore } from '../storage/kv-token-store.ts';
import { openRemoteTokenStore } from '../storage/open-remote.ts';
import type { TokenStore } from '../storage/token-store.ts';

/** Gives `work` the storage and closes it however `work` ends. */
export async function withTokenStore<T>(
  { env, remote = false }: PlaceOptions,
  { signal, remark }: Pick<CommandContext, 'signal' | 'remark'>,
  work: (store: TokenStore) => Promise<T>,
): Promise<T> {
  if (remote) return work(await openRemoteTokenStore(env, { signal, remark }));
  const platform = await openPlatform(env);
  try {
    return await work(new KvTokenStore(platform.env.TOKENS));
  } finally {
    await platform.dispose();
  }
}
