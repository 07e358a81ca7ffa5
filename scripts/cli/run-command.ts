/**
 * The frame of every command-line tool of this project, on top of commander.
 *
 * - `runProgram(program)` runs a tool: one command (`npm run fixtures -- …`), or `defineProgram(name, summary,
 *   commands)`, which has several (`npm run snapshot -- …`).
 * - `defineCommand(name, { summary, args, options, examples, load })` makes a command. What runs it is loaded then, a
 *   module with a function of the command's name, or `run`: `--help` and wrong usage do not wait for compilers and schemas.
 * - `CommandContext` is what a running command gets: `json`, `progress`, `signal`, `remark()`.
 * - `CommandResult` is what it returns: `data` for `--json`, `text` for people, `failed`.
 *
 * Commands return results and throw errors; only this file prints them and decides the exit code:
 * 0 done, 1 the operation failed or found faults, 2 wrong usage (`UsageError`, and whatever
 * commander refuses), 130 interrupted. `--json` prints the data, or `{ "error": { code, message, … } }`, on standard
 * output; `--verbose` adds the stack trace of an error. A command that uses `signal` has it aborted
 * by Ctrl-C and ends on its own terms; one that does not is simply ended.
 */
import { inspect } from 'node:util';
import { type Argument, Command, CommanderError, type Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import {
  CommandError,
  EXIT_FAILED,
  EXIT_OK,
  EXIT_USAGE,
  messageOf,
  UsageError,
} from './command-error.ts';
import { type PlaceOptions, placeName } from './common-options.ts';
import { interruptSignal } from './interruption.ts';
import {
  endWithReader,
  expectSecret,
  printErrorRemark,
  printJson,
  printRemark,
  printText,
  type Secret,
  visible,
} from './output.ts';
import { openProgress, type Progress, SILENT_PROGRESS } from './progress.ts';

/** What a command returns. */
export interface CommandResult {
  /** What `--json` prints, after the environment; undefined: the command has printed it already. */
  readonly data: object | undefined;
  /** What people read, after the place, lines separated by newlines. Left out: the data alone, for everyone. */
  readonly text?: string;
  /** True when the command did its work and found faults: exit code 1. */
  readonly failed?: boolean;
  /** What of it the log of a job must not show, and what to say when the result is not read. */
  readonly secret?: Secret;
}

/** What a running command has at hand. */
export interface CommandContext {
  /** Whether a machine reads the result. */
  readonly json: boolean;
  readonly progress: Progress;
  /** Aborted by Ctrl-C: clean up and let the reason through. */
  readonly signal: AbortSignal;
  /** Prints a remark on standard error; silent under `--json`. */
  remark(text: string): void;
}

/** Arguments that follow the command's name, and what the call does. */
type Example = readonly [call: string, effect: string];

interface CommandDefinition<Name extends string> {
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  /** What help says before the examples. */
  readonly notes?: string;
  readonly examples: readonly Example[];
  /** Loads what runs it: the function of its name, or `run`. */
  readonly load: () => Promise<Readonly<Record<Name, Run>> | { readonly run: Run }>;
}

/** Runs a command. @param options as commander reads them @param args the values of the declared arguments, in order */
type Run = (options: never, context: CommandContext, ...args: never[]) => Promise<CommandResult>;

/** Codes that tell people nothing that the message does not. */
const UNTOLD_CODES = new Set(['failed', 'interrupted', 'unexpected']);

interface FrameOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Makes a command. */
export function defineCommand<Name extends string>(
  name: Name,
  { summary, args = [], options = [], notes = '', examples, load }: CommandDefinition<Name>,
): Command {
  const command = newCommand(name).description(summary);
  for (const argument of args) command.addArgument(argument);
  for (const option of options) addOption(command, option);
  return command
    .option('--json', 'print the result as JSON (use npm run --silent)')
    .option('--verbose', 'print the stack trace of errors')
    .addHelpText('after', notes)
    .addHelpText('after', () => formatExamples(command, examples))
    .action(() => execute(command, load));
}

/** Makes a tool with subcommands. */
export function defineProgram(
  name: string,
  summary: string,
  commands: readonly Command[],
): Command {
  const program = newCommand(name)
    .description(summary)
    .version(manifest.version, '--version', 'print the version')
    // The options of a command are its own: prune has a --version of another kind.
    .enablePositionalOptions();
  for (const command of commands) program.addCommand(command);
  return program;
}

function newCommand(name: string): Command {
  // Errors are printed by the frame, once.
  return new Command(name).exitOverride().configureOutput({ outputError: () => {} });
}

/** Returns how the call of a command begins: `npm run snapshot -- publish`. */
function callOf(command: Command): string {
  return command.parent ? `${command.parent.name()} ${command.name()}` : command.name();
}

function formatExamples(command: Command, examples: readonly Example[]): string {
  const lines = examples.map(([call, effect]) => {
    // The dashes of `npm start --` are for the arguments that follow.
    const line = `${callOf(command)} ${call}`.replace(/ (-- )?$/, '');
    // Where a program reads on, the lines of npm would stand before the result.
    const isRead = /--json| > |--out -$/.test(line);
    return `  ${isRead ? line.replace('npm run', 'npm run --silent') : line}\n      ${effect}`;
  });
  return `\nExamples:\n${lines.join('\n')}\n\nExit codes: 0 done, 1 failed or faults found, 2 wrong usage, 130 interrupted.`;
}

/** Runs a tool on the process's arguments and sets the exit code. */
export async function runProgram(program: Command): Promise<void> {
  endWithReader();
  const argv = process.argv.slice(2);
  try {
    // Before options that are missing for that reason.
    refuseSwallowed(program.commands.find((each) => each.name() === argv[0]) ?? program);
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander has not told them from the values of other options.
    const frame = { json: argv.includes('--json'), verbose: argv.includes('--verbose') };
    await printError(error, frame);
  }
}

async function execute(command: Command, load: () => Promise<object>): Promise<void> {
  const options = command.opts<FrameOptions & PlaceOptions>();
  const { json = false } = options;
  const context: CommandContext = {
    json,
    progress: json ? SILENT_PROGRESS : openProgress(),
    remark: json ? () => {} : printRemark,
    get signal() {
      return interruptSignal();
    },
  };
  // Of a command that works on storage every outcome says on which.
  const isPlaced = command.options.some(({ long }) => long === '--remote');
  const place = isPlaced ? `${placeName(options)}: ` : '';
  const where = isPlaced ? { environment: options.env } : {};
  try {
    const loaded = (await load()) as Readonly<Record<string, Run>>;
    const run = (loaded[command.name()] ?? loaded.run) as Run;
    const result = await run(options as never, context, ...(command.processedArgs as never[]));
    const { data, text, secret, failed } = result;
    context.progress.end();
    // Already now: the reader may be gone before all is printed.
    process.exitCode = failed ? EXIT_FAILED : EXIT_OK;
    if (secret) expectSecret(secret, json);
    if (text === undefined) await printJson(data);
    else if (!json) await printText(place + text);
    else if (data) await printJson({ ...where, ...data });
  } catch (error) {
    context.progress.end();
    await printError(error, options, place, where);
  }
}

/** Returns the error to print: an error of a command as it is, of commander as wrong usage, any other as unexpected. */
function commandErrorOf(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (!(error instanceof CommanderError)) {
    return new CommandError(`${messageOf(error)} (--verbose says more)`, 'unexpected');
  }
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new UsageError(`${visible(message)} (see --help)`);
}

/**
 * Prints an error the way it is asked for, and sets the exit code that it means.
 * @param place stands before its message; `where` says the same to machines
 */
async function printError(
  error: unknown,
  { json, verbose }: FrameOptions,
  place = '',
  where = {},
): Promise<void> {
  // Commander has printed help or the version, as asked for, or help where no command was named.
  if (error instanceof CommanderError && /^commander.(help|version)/.test(error.code)) {
    process.exitCode = error.exitCode === EXIT_OK ? EXIT_OK : EXIT_USAGE;
    return;
  }
  const { exitCode, code, message, details, explanation } = commandErrorOf(error);
  process.exitCode = exitCode;
  const stack = verbose ? inspect(error) : undefined;
  if (json) return printJson({ error: { code, message, ...where, ...details, stack } });
  const isTold = exitCode === EXIT_FAILED && !UNTOLD_CODES.has(code);
  const print = exitCode === EXIT_OK ? printRemark : printErrorRemark;
  const told = code === 'unexpected' ? message : visible(message);
  print(`${exitCode === EXIT_USAGE ? '' : place}${told}${isTold ? ` [${code}]` : ''}`);
  if (explanation) printRemark(`\n${explanation}`);
  if (stack) printRemark(stack);
}

/** Adds an option to a command. One that takes a single value is refused when it is given twice. */
function addOption(command: Command, option: Option): void {
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
function refuseSwallowed(command: Command): void {
  const { env } = process;
  // npm leaves the name of the script that it runs. Without it nothing was taken away.
  if (!env.npm_lifecycle_event) return;
  // Empty is what npm makes of `false`, its own options' too, such as `yes`.
  const swallowed = command.options.filter(
    (option) => env[`npm_config_${option.name().replaceAll('-', '_')}`],
  );
  if (swallowed.length === 0) return;
  const names = swallowed.map(({ long }) => long).join(', ');
  const message = `npm has taken ${names} for itself: begin with "${callOf(command)}", then type the options`;
  throw new UsageError(message, 'options_swallowed');
}
