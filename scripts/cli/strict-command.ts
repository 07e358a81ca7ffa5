/** Commander, as strict with what it is given as the service is with parameters. */
import { Command, type Option } from 'commander';
import { UsageError } from './command-error.ts';

export class StrictCommand extends Command {
  /** Options that take one value and have it. */
  private readonly given = new Set<Option>();

  /** Has an option that takes one value refused when it is given twice. */
  override addOption(option: Option): this {
    // Those that collect values begin with something to collect them in.
    const takesOne = option.required && typeof option.defaultValue !== 'object';
    return super.addOption(option).on(`option:${option.name()}`, () => {
      const message = `${option.long} is given twice; it takes one value`;
      if (takesOne && this.given.has(option)) throw new UsageError(message);
      this.given.add(option);
    });
  }

  /** Refuses options that npm has taken, before one that is missing for that reason. */
  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    this.given.clear();
    if (this.commands.length === 0) refuseSwallowed(this);
    return super.parseOptions(argv);
  }
}

/**
 * Refuses options that npm has taken for itself. Without the `--` that ends npm's own options,
 * `npm run snapshot rollback --env=production` would roll back the default environment: npm drops
 * the option and leaves a variable behind, `npm_config_env`.
 * @throws UsageError options_swallowed
 */
function refuseSwallowed(command: Command): void {
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

/** The variable that npm leaves in the place of an option. */
function variableOf({ long }: Option): string {
  return `npm_config_${(long ?? '').replace(/^--/, '').replaceAll('-', '_')}`;
}
