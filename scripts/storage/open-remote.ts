/** Opens what `--remote` commands work on. Nothing is asked of the network yet. */
import type { Environment } from '../../src/auth/token.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { readApiAccess } from './api-access.ts';
import { CloudflareApi } from './cloudflare-api.ts';
import { CloudflareKv } from './cloudflare-kv.ts';
import { CloudflareR2 } from './cloudflare-r2.ts';
import type { KvStore, SnapshotTarget } from './key-value-store.ts';
import { SYSTEM_CLOCK } from './pace.ts';
import {
  readEnvironmentConfig,
  refuseDevelopment,
  snapshotPlace,
  tokenNamespaceId,
} from './remote-place.ts';

/** Milliseconds; longer waits are told to the person who runs the command. */
const PATIENCE = 5_000;

/**
 * Milliseconds after which no isolate reads what the pointer named before: KV shows the new one within
 * a minute, isolates look every half minute, and hold a release to fall back on for three minutes.
 */
const READERS_WAIT = 3 * 60_000;

/** Interruption, which ends requests and waits by throwing its reason, and who is told of long waits. */
type RemoteOptions = Partial<Pick<CommandContext, 'signal' | 'remark'>>;

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
  const { namespaceId, bucket, jurisdiction } = place;
  const ledger = new CloudflareR2(api, bucket, jurisdiction);
  const rules = jurisdiction === null ? '' : ` (${jurisdiction})`;
  const base = { readersWait: READERS_WAIT, clock: SYSTEM_CLOCK, ledger };
  if (namespaceId === null) {
    return { ...base, site: { environment, place: `r2 ${bucket}${rules}` }, objects: ledger };
  }
  const objects = new CloudflareKv(api, namespaceId);
  return { ...base, site: { environment, place: `kv ${namespaceId}` }, objects };
}

/**
 * Where the tokens of an environment are on Cloudflare's platform.
 * @throws UsageError when variables are missing, or wrangler.toml holds placeholders
 */
export async function openRemoteTokens(
  environment: Environment,
  options: RemoteOptions = {},
): Promise<KvStore> {
  const api = openApi(environment, options);
  return new CloudflareKv(api, tokenNamespaceId(await readEnvironmentConfig(environment)));
}

function openApi(environment: Environment, { signal, remark }: RemoteOptions) {
  // What is wrong whatever the variables are comes first.
  refuseDevelopment(environment);
  const onWait = (milliseconds: number, reason: string) => {
    if (milliseconds > PATIENCE)
      remark?.(`waiting ${Math.round(milliseconds / 1000)} s: ${reason}`);
  };
  return new CloudflareApi(readApiAccess(process.env), { onWait, ...(signal && { signal }) });
}
