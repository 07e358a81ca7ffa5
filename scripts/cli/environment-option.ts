/** `--env` and `--remote`, as every command that touches an environment takes them. */
import { type Command, Option } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../src/auth/token.ts';

/** Which storage a command works on. */
export interface PlaceOptions {
  readonly env: Environment;
  /** On Cloudflare's platform; else on this machine, where `wrangler dev` reads. */
  readonly remote?: boolean;
}

/** Gives a command `--env` and `--remote`. */
export function declarePlace(command: Command): void {
  const environment = new Option('--env <environment>', 'environment to work on');
  command
    .addOption(environment.choices(ENVIRONMENTS).default('development'))
    .option(
      '--remote',
      "work on Cloudflare's platform instead of this machine; needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID",
    );
}

/** `production, on Cloudflare`, `production, on this machine`; development is nowhere else. */
export function placeName({ env, remote = false }: PlaceOptions): string {
  if (env === 'development') return env;
  return `${env}, on ${remote ? 'Cloudflare' : 'this machine'}`;
}

/**
 * What to say when an environment that partners reach was named without `--remote`: without that
 * a command works on this machine, whatever the environment. Null otherwise.
 */
export function placeHint({ env, remote = false }: Partial<PlaceOptions>): string | null {
  if (remote || env === undefined || env === 'development') return null;
  return `(${env} on this machine, which partners do not reach; with --remote on Cloudflare's platform)`;
}
