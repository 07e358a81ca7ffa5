/** Opens what `--remote` commands work on. Nothing is asked of the network yet. */
import type { Environment } from '../../src/auth/token.ts';
import type { TokenStore } from '../token/token-store.ts';
import { readApiAccess } from './api-access.ts';
import { type ApiWait, CloudflareApi } from './cloudflare-api.ts';
import { RemoteKvTarget } from './cloudflare-kv.ts';
import { RemoteR2Target } from './cloudflare-r2.ts';
import type { SnapshotTarget } from './key-value-store.ts';
import {
  readEnvironmentConfig,
  refuseDevelopment,
  snapshotPlace,
  tokenNamespaceId,
} from './remote-place.ts';
import { RemoteTokenStore } from './remote-token-store.ts';

/** Milliseconds; whoever watches is told of waits that are longer. */
const PATIENCE = 5_000;

/** What of a command's context a remote target uses. */
export interface RemoteOptions {
  /** Ends the requests and waits under way when aborted, by throwing its reason. */
  readonly signal?: AbortSignal;
  /** Told of long waits. */
  readonly remark?: (text: string) => void;
}

/**
 * The snapshot storage of an environment on Cloudflare's platform: KV or R2, as SNAPSHOT_STORE says.
 * @throws UsageError when variables are missing, or wrangler.toml holds placeholders
 */
export async function openRemoteTarget(
  environment: Environment,
  options: RemoteOptions = {},
): Promise<SnapshotTarget> {
  const api = openApi(environment, options);
  const place = snapshotPlace(await readEnvironmentConfig(environment));
  return place.store === 'kv'
    ? new RemoteKvTarget(api, place.namespaceId)
    : new RemoteR2Target(api, place.bucket);
}

/**
 * The tokens of an environment on Cloudflare's platform.
 * @throws UsageError when variables are missing, or wrangler.toml holds placeholders
 */
export async function openRemoteTokenStore(
  environment: Environment,
  options: RemoteOptions = {},
): Promise<TokenStore> {
  const api = openApi(environment, options);
  return new RemoteTokenStore(api, tokenNamespaceId(await readEnvironmentConfig(environment)));
}

function openApi(environment: Environment, { signal, remark }: RemoteOptions): CloudflareApi {
  // What is wrong whatever the variables are comes first.
  refuseDevelopment(environment);
  const onWait = ({ milliseconds, reason }: ApiWait) => {
    if (milliseconds > PATIENCE)
      remark?.(`waiting ${Math.round(milliseconds / 1000)} s: ${reason}`);
  };
  return new CloudflareApi(readApiAccess(process.env), { onWait, ...(signal ? { signal } : {}) });
}
