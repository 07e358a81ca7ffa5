/** Commander, as strict with what it is given as the service is with parameters. */
import { Command } from 'commander';
import { UsageError } from './command-error.ts';
import { refuseSwallowed } from './swallowed-options.ts';

const HELP = new Set(['-h', '--help']);

export class StrictCommand extends Command {
  /** Whether another program reads what is unknown here. */
  private passesUnknown = false;

  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  override allowUnknownOption(allow = true): this {
    this.passesUnknown = allow;
    return super.allowUnknownOption(allow);
  }

  /**
   * Refuses options that npm has taken, and names an unknown option before a missing one: it may be
   * that one, misspelt.
   */
  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    if (this.commands.length === 0) refuseSwallowed(this);
    const parsed = super.parseOptions(argv);
    const [unknown] = parsed.unknown;
    const isStrict = this.commands.length === 0 && !this.passesUnknown;
    if (unknown !== undefined && isStrict && !parsed.unknown.some((each) => HELP.has(each))) {
      // Commander's own refusal, with the option that was perhaps meant; its types leave it out.
      (this as unknown as { unknownOption(flag: string): never }).unknownOption(unknown);
    }
    return parsed;
  }
}

/** Has an option that takes one value refused when it is given twice. @throws UsageError then */
export function refuseRepetition(command: Command): void {
  for (const option of command.options) {
    const takesOne = option.required || option.optional;
    // Those that collect values begin with a list.
    if (!takesOne || Array.isArray(option.defaultValue)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`${option.long} is given twice; it takes one value`);
      isGiven = true;
    });
  }
}
