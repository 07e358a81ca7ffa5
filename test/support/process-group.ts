/** Programs in a process group of their own, as a terminal starts them. */
import { onTestFinished } from 'vitest';
import { startProcess } from './run-tool.ts';

/** Starts a program. What is left of its group when the test has ended is killed. */
export function startGroup(
  program: string,
  args: readonly string[],
  options: Parameters<typeof startProcess>[2],
) {
  const started = startProcess(program, args, { ...options, detached: true });
  const group = -Number(started.child.pid);
  onTestFinished(() => {
    try {
      process.kill(group, 'SIGKILL');
    } catch {
      // No process is left.
    }
  });
  return {
    ...started,
    send: (signal: NodeJS.Signals, whom: 'all' | 'the first') =>
      process.kill(whom === 'all' ? group : -group, signal),
  };
}
