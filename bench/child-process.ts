/** Processes that the benchmark starts: none outlives it, however it ends. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { EXIT_INTERRUPTED } from '../scripts/cli/command-error.ts';

const running: ChildProcess[] = [];

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // By default a signal ends the process without an `exit` event, and so would a second signal if only the
  // first were listened to.
  process.on(signal, () => process.exit(EXIT_INTERRUPTED));
}

/**
 * Starts a program of the project, which ends with its standard input, and so with this process.
 * @returns the line by which it says that it serves
 * @throws Error when it ends before
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
) {
  const child = spawn(process.execPath, [program, ...args], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.stdin?.end();
    await exit;
  };
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    return { line, stop };
  }
  throw new Error(`${program} ended before it served`);
}

/** Ends `child` at the latest when this process ends. @returns a function that ends it before */
export function lookAfter(child: ChildProcess): () => Promise<void> {
  running.push(child);
  const exit = once(child, 'exit');
  return async () => {
    child.kill('SIGKILL');
    await exit;
  };
}
