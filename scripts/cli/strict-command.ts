/** Makes commander as strict with options as the service is with parameters. */
import type { Command, Option } from 'commander';
import { UsageError } from './command-error.ts';

/** Adds an option to a command. One that takes a single value is refused when it is given twice. */
export function addOption(command: Command, option: Option): void {
  command.addOption(option);
  // Those that collect values begin with something to collect them in.
  if (!option.required || typeof option.defaultValue === 'object') return;
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    if (isGiven) throw new UsageError(`${option.long} is given twice; it takes one value`);
    isGiven = true;
  });
}

/**
 * Refuses options that npm has taken for itself. Without the `--` that ends npm's own options,
 * `npm run snapshot rollback --env=production` would roll back the default environment: npm drops
 * the option and leaves a variable behind, `npm_config_env`.
 * @throws UsageError options_swallowed
 */
export function refuseSwallowed(command: Command): void {
  const { env: environment } = process;
  // npm leaves the name of the script that it runs. Without it nothing was taken away.
  if (!environment.npm_lifecycle_event) return;
  // Empty is what npm makes of `false`, its own options' too, such as `yes`.
  const swallowed = command.options.filter((option) => environment[variableOf(option)]);
  if (swallowed.length === 0) return;
  const names = swallowed.map(({ long }) => long).join(', ');
  const variables = swallowed.map(variableOf);
  const start = command.parent ? `${command.parent.name()} ${command.name()}` : command.name();
  const message = `npm has taken ${names} for itself (it has set ${variables.join(', ')}): begin with "${start}", then type the options`;
  throw new UsageError(message, 'options_swallowed', { details: { variables } });
}

/** Returns the variable that npm leaves in the place of an option. */
function variableOf({ long }: Option): string {
  return `npm_config_${(long ?? '').replace(/^--/, '').replaceAll('-', '_')}`;
}
