/** Processes that the benchmark starts: none outlives it, however it ends. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { EXIT_INTERRUPTED } from '../scripts/cli/command-error.ts';

const running = new Set<ChildProcess>();

process.once('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // By default a signal ends the process without telling `exit`: so would a second one, if the first
  // were the last to be listened to.
  process.on(signal, () => process.exit(EXIT_INTERRUPTED));
}

/**
 * Starts a program of the project, and waits for the line by which it says that it serves.
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
  lookAfter(child);
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    return { child, line };
  }
  throw new Error(`${program} ended before it served`);
}

/** Ends `child` at the latest when this process ends. */
export function lookAfter(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Ends `child` and waits until it has. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
