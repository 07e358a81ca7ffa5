/** `--env`, as every command that touches an environment takes it. */
import { Option } from 'commander';
import { ENVIRONMENTS } from '../../src/auth/environment.ts';

/** @param description what of the environment is meant, for the help */
export function environmentOption(description: string): Option {
  return new Option('--env <environment>', description)
    .choices(ENVIRONMENTS)
    .default('development');
}
