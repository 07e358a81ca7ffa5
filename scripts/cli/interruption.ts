/**
 * Interruption from outside: Ctrl-C, SIGTERM, a terminal that is closed. A command hears of it
 * through a signal and ends on its own terms.
 */
import { EXIT_INTERRUPTED } from './command-error.ts';
import { InterruptedError } from './describe-error.ts';

const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let signal: AbortSignal | undefined;

/**
 * Aborted by the first of these; the second one ends the process at once. As long as nobody has
 * asked for it, the process is simply ended.
 */
export function interruptSignal(): AbortSignal {
  signal ??= listen();
  return signal;
}

/**
 * Runs `work`, which loads code that would end the process on a signal before the command has
 * tidied up, as miniflare does: its listeners are taken away again, if ours are there.
 */
export async function guardSignals<T>(work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  // No signal is delivered before the microtasks of whoever adds a listener have run.
  const remove = (name: string | symbol, listener: (...args: unknown[]) => void) => {
    if (isName(name)) queueMicrotask(() => process.removeListener(name, listener));
  };
  process.on('newListener', remove);
  try {
    return await work();
  } finally {
    process.removeListener('newListener', remove);
  }
}

function isName(name: string | symbol): name is (typeof NAMES)[number] {
  return NAMES.some((each) => each === name);
}

function listen(): AbortSignal {
  const interruption = new AbortController();
  const interrupt = () => {
    if (interruption.signal.aborted) process.exit(EXIT_INTERRUPTED);
    interruption.abort(new InterruptedError());
  };
  // Listeners that stay: wrangler kills the process on a signal that nobody else listens to, and
  // one added by `once` is gone by the time it looks.
  for (const name of NAMES) process.on(name, interrupt);
  return interruption.signal;
}
