/** The frame of the benchmark's commands: what is wrong usage, and how they end then. */
import { Command } from 'commander';
import { EXIT_OK, EXIT_USAGE } from '../scripts/cli/command-error.ts';

/** A command without options yet. Wrong usage ends it with 2, as it ends every command of the project. */
export function benchCommand(name: string, summary: string): Command {
  return new Command(name)
    .description(summary)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === EXIT_OK ? EXIT_OK : EXIT_USAGE));
}
