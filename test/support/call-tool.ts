/**
 * Runs a command-line tool of the project within the test's own process: the same program on the
 * same arguments, without the second or two that a process of its own needs to load everything.
 * What only a process shows (that it ends, signals, pipes) is for `runTool` and command-line.test.ts.
 */

import { Readable, Writable } from 'node:stream';
import { idleStorage } from './kept-storage.ts';
import { type Outcome, programOf, type ToolOptions } from './run-tool.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let calls = 0;
let lastCall: Promise<unknown> = Promise.resolve();

/**
 * Runs calls one after the other: each has the process's arguments, streams and environment.
 * @param tool name of the script, such as `snapshot`
 */
export function callTool(
  tool: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<Outcome> {
  const call = lastCall.then(() => callAlone(tool, args, options));
  lastCall = call.catch(() => {});
  return call;
}

/** A tool that is called with these variables. */
export function toolWith(tool: string, env: Readonly<Record<string, string>>) {
  const run = (args: readonly string[], stdin: string | Uint8Array = '') =>
    callTool(tool, args, { env, stdin });
  /** Calls it with `--json`; `data` is what it prints. */
  const json = async (args: readonly string[], stdin: string | Uint8Array = '') => {
    const { code, stdout, stderr } = await run([...args, '--json'], stdin);
    return { code, stderr, data: JSON.parse(stdout) };
  };
  return { run, json };
}

async function callAlone(
  tool: string,
  args: readonly string[],
  { env = {}, stdin = '' }: ToolOptions,
): Promise<Outcome> {
  const program = programOf(tool);
  const output = { stdout: new Collected(), stderr: new Collected() };
  const processesBefore = runningProcesses();
  const restoreEnvironment = lendEnvironment(env);
  const restore = lendProcess({
    argv: [process.execPath, program, ...args],
    stdin: Readable.from(stdin.length > 0 ? [Buffer.from(stdin)] : []),
    ...output,
  });
  let code: number;
  try {
    // Another name each time, or the program, which runs as it is loaded, would run once only.
    await import(/* @vite-ignore */ `${program}?call=${++calls}`);
    code = Number(process.exitCode ?? 0);
  } finally {
    restore();
    restoreEnvironment();
  }
  if (runningProcesses() > processesBefore) {
    throw new Error(`${tool} ${args.join(' ')} left a process behind, and would never end`);
  }
  return { code, stdout: output.stdout.text, stderr: output.stderr.text };
}

/** Sets variables and returns what takes them back, and those that the tool sets. */
function lendEnvironment(variables: NodeJS.ProcessEnv): () => void {
  // The object stays: parts of Node read what lies behind it.
  const before = { ...process.env };
  Object.assign(process.env, variables);
  return () => {
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) delete process.env[name];
    }
    Object.assign(process.env, before);
  };
}

/** Puts other values in the place of members of `process` and returns what takes them back. */
function lendProcess(members: Readonly<Record<string, unknown>>): () => void {
  const { exitCode } = process;
  const replaced = Object.keys(members).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  );
  const listeners = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
  }
  process.exitCode = undefined;
  return () => {
    process.exitCode = exitCode;
    for (const [name, descriptor] of replaced) {
      if (descriptor) Object.defineProperty(process, name, descriptor);
    }
    // A command that tidies up on signals would keep the tests from being interrupted.
    for (const [name, before] of listeners) {
      for (const listener of process.listeners(name)) {
        if (!before.includes(listener)) process.removeListener(name, listener);
      }
    }
  };
}

/** Processes that ours has started and that have not ended, but for storage that is only kept. */
function runningProcesses(): number {
  const all = process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
  return all - idleStorage();
}

/** A stream in the place of standard output or error; no terminal, as with a pipe. */
class Collected extends Writable {
  private readonly chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }
}
