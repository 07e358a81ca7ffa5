/** What wrangler.toml binds for production, as workerd's configuration has it. */
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import type { CapnpValue } from './capnp.ts';

export const RATE_LIMITER_MODULE = 'bench:rate-limiter';

/** What is looked at in wrangler's reading of the file. */
interface Config {
  readonly compatibility_date: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly kv_namespaces: readonly { readonly binding: string }[];
  readonly ratelimits?: readonly { readonly name: string }[];
}

/** @param kv name of the service that all namespaces are read through */
export function serviceBindings(kv: string): CapnpValue[] {
  const { vars, kv_namespaces: namespaces, ratelimits = [] } = readConfig();
  return [
    ...Object.entries(vars).map(([name, value]) => ({ name, text: String(value) })),
    ...namespaces.map(({ binding }) => ({ name: binding, kvNamespace: kv })),
    ...ratelimits.map(({ name }) => ({ name, wrapped: { moduleName: RATE_LIMITER_MODULE } })),
  ];
}

/** The runtime that the service asks for. */
export function compatibilityDate(): string {
  return readConfig().compatibility_date;
}

/** Read once: every isolate of every contender asks. */
let known: Config | undefined;

function readConfig(): Config {
  if (known) return known;
  const config = join(PROJECT_FOLDER, 'wrangler.toml');
  const read: Config = unstable_readConfig({ config, env: 'production' }, { hideWarnings: true });
  known = read;
  return read;
}
