/** The token storage that `--env` and `--remote` name. */

import type { PlaceOptions } from '../cli/environment-option.ts';
import { openPlatform } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { LocalKv } from '../storage/local-kv.ts';
import { openRemoteTokens } from '../storage/open-remote.ts';

/** Gives `work` the storage and closes it however `work` ends. */
export async function withTokenStore<T>(
  { env, remote = false }: PlaceOptions,
  { signal, remark }: Pick<CommandContext, 'signal' | 'remark'>,
  work: (store: KvStore) => Promise<T>,
): Promise<T> {
  if (remote) return work(await openRemoteTokens(env, { signal, remark }));
  const platform = await openPlatform(env);
  try {
    return await work(new LocalKv(platform.env.TOKENS));
  } finally {
    await platform.dispose();
  }
}
