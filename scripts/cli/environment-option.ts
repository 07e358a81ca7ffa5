/** `--env` and `--remote`, as every command that touches an environment takes them. */
import { Option } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../src/auth/token.ts';

/** Which storage a command works on. */
export interface PlaceOptions {
  readonly env: Environment;
  /** On Cloudflare's platform; else on this machine, where `wrangler dev` reads. */
  readonly remote?: boolean;
}

/** @param description what of the environment is meant, for the help */
export function environmentOption(description: string): Option {
  return new Option('--env <environment>', description)
    .choices(ENVIRONMENTS)
    .default('development');
}

export function remoteOption(): Option {
  return new Option(
    '--remote',
    "on Cloudflare's platform, not on this machine; needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID",
  );
}

/** `staging`, `staging (remote)` */
export function placeName({ env, remote = false }: PlaceOptions): string {
  return remote ? `${env} (remote)` : env;
}
