/** The token storage that `--env` and `--remote` name. */

import type { Environment } from '../../src/auth/token.ts';
import type { PlaceOptions } from '../cli/environment-option.ts';
import { openPlatform } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { openRemoteTokens, type RemoteOptions } from '../storage/open-remote.ts';
import { KvTokenStore } from './kv-token-store.ts';
import { RemoteTokenStore } from './remote-token-store.ts';
import type { TokenStore } from './token-store.ts';

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

/**
 * The tokens of an environment on Cloudflare's platform.
 * @throws UsageError when variables are missing, or wrangler.toml holds placeholders
 */
export async function openRemoteTokenStore(
  environment: Environment,
  options: RemoteOptions = {},
): Promise<TokenStore> {
  return new RemoteTokenStore(await openRemoteTokens(environment, options));
}
