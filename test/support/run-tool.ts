/** Runs a command-line tool of the project, or another program, in a process of its own. */
import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ToolOptions {
  /** Environment variables on top of our own. */
  readonly env?: NodeJS.ProcessEnv;
  /** What the tool reads from standard input. */
  readonly stdin?: string | Uint8Array;
}

/** @param tool name of the script, such as `snapshot` */
export function runTool(
  tool: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<Outcome> {
  return runProcess(process.execPath, [programOf(tool), ...args], options);
}

/**
 * Runs a program to its end.
 * @param cwd by default our own folder
 * @throws what kept it from starting or from ending by itself
 */
export async function runProcess(
  program: string,
  args: readonly string[],
  { stdin = '', ...options }: ToolOptions & { readonly cwd?: string } = {},
): Promise<Outcome> {
  const { child, output, ended } = startProcess(program, args, options);
  // A command may end without having read everything.
  child.stdin.on('error', () => {}).end(stdin);
  const code = await ended;
  if (code === null) throw new Error(`${program} ${args[0]} was ended by a signal`);
  return { code, ...output };
}

/** Starts a tool. */
export function startTool(
  tool: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return startProcess(process.execPath, [programOf(tool), ...args], { env });
}

/** Starts a program that goes on until it is stopped, such as a server, or has read its input. */
export function startProcess(
  program: string,
  args: readonly string[],
  { env, ...options }: SpawnOptionsWithoutStdio,
) {
  const child = spawn(program, args, { ...options, env: { ...process.env, ...env } });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (data) => {
      output[name] += data;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  /** @throws Error with what it said, when it ends before that */
  const untilPrinted = async (words: string, name: keyof typeof output = 'stdout') => {
    while (!output[name].includes(words)) {
      if (child.exitCode !== null) throw new Error(`${args[0]} has ended:\n${output.stderr}`);
      await Promise.race([once(child[name], 'data'), ended]);
    }
  };
  return { child, output, ended, untilPrinted };
}

/** The file that `npm run <tool>` runs. */
export function programOf(tool: string): string {
  const file = (manifest.scripts as Record<string, string>)[tool]?.match(/ node (\S+)$/)?.[1];
  if (file === undefined) throw new Error(`package.json: no script ${tool} that runs a file`);
  return resolve(import.meta.dirname, '../..', file);
}
