/**
 * Interruption from outside: Ctrl-C, SIGTERM, a terminal that is closed. A command hears of it through
 * a signal and ends on its own terms.
 *
 * npm passes SIGINT and SIGTERM on to the process that a script starts, which is ours because the
 * scripts of package.json begin with `exec`. When npm itself is killed (-9), a command goes on.
 */
import { writeSync } from 'node:fs';
import { EXIT_FAILED, InterruptedError } from './command-error.ts';

const NAMES: ReadonlySet<string | symbol> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Milliseconds in which a second signal is the first one once more: of Ctrl-C we hear from the
 * terminal and from npm.
 */
const SAME_SIGNAL = 1_000;

const STDERR = 2;

let signal: AbortSignal | undefined;

/**
 * Returns what the first of these signals aborts; a second one, a second or more later, ends the process at once.
 * Before it is asked for, a signal simply ends the process.
 */
export function interruptSignal(): AbortSignal {
  if (signal) return signal;
  const interruption = new AbortController();
  let firstAt = Number.POSITIVE_INFINITY;
  const interrupt = () => {
    if (performance.now() - firstAt >= SAME_SIGNAL) {
      // How far the work has come is unknown.
      const words = 'error: interrupted again and ended at once: look how far it has come\n';
      writeSync(STDERR, words);
      process.exit(EXIT_FAILED);
    }
    firstAt = Math.min(firstAt, performance.now());
    interruption.abort(new InterruptedError());
  };
  // Listeners that stay: wrangler kills the process on a signal that has no other listener, and
  // one added by `once` is gone by the time it looks.
  for (const name of NAMES) process.on(name, interrupt);
  signal = interruption.signal;
  return signal;
}

/**
 * Guards what loads code that would end the process on a signal before the command has tidied up, as
 * miniflare does: until this is disposed of, its listeners are taken away again, if ours are there.
 */
export function guardSignals(): Disposable {
  // No signal is delivered before the microtasks of the code that adds a listener have run.
  const remove = (name: string | symbol, listener: (...args: unknown[]) => void) => {
    if (signal && NAMES.has(name)) queueMicrotask(() => process.removeListener(name, listener));
  };
  process.on('newListener', remove);
  return { [Symbol.dispose]: () => process.removeListener('newListener', remove) };
}
