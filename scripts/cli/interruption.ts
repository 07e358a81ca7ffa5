/**
 * Interruption from outside: Ctrl-C, SIGTERM, a terminal that is closed, the death of npm. A command
 * hears of it through a signal and ends on its own terms.
 *
 * npm passes SIGINT and SIGTERM on to the process that a script starts, which is ours because the
 * scripts of package.json begin with `exec`. Nobody passes on that npm was killed (-9): our parent
 * changes then, and this is where we look.
 */
import { readFileSync, writeSync } from 'node:fs';
import { EXIT_FAILED } from './command-error.ts';
import { InterruptedError } from './describe-error.ts';

const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Milliseconds in which a second signal is the first one once more: of Ctrl-C we hear from the
 * terminal and from npm.
 */
const SAME_SIGNAL = 1_000;

const STANDARD_ERROR = 2;

/** Milliseconds between two looks at who our parent is. */
const PARENT_LOOK = 200;

/** The process that adopts those whose parent has died, unless a system has another one for it. */
const INIT = 1;

/** Who started us. Read as early as can be: npm may be killed while everything is loaded. */
const firstParent = process.ppid;

let signal: AbortSignal | undefined;

/**
 * Aborted by the first of these; a second one, a second or more later, ends the process at once. As
 * long as nobody has asked for it, the process is simply ended.
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
  const stop = () => interruption.abort(new InterruptedError());
  let firstAt = Number.POSITIVE_INFINITY;
  const interrupt = () => {
    if (performance.now() - firstAt >= SAME_SIGNAL) endAtOnce();
    firstAt = Math.min(firstAt, performance.now());
    stop();
  };
  // Listeners that stay: wrangler kills the process on a signal that nobody else listens to, and
  // one added by `once` is gone by the time it looks.
  for (const name of NAMES) process.on(name, interrupt);
  // Who is told to end and then loses its parent is not told twice.
  if (isScript()) watchParent(stop);
  return interruption.signal;
}

/** Whoever cannot wait is told that nobody knows how far the work has come. */
function endAtOnce(): never {
  writeSync(
    STANDARD_ERROR,
    'error: interrupted again and ended at once: look how far it has come\n',
  );
  process.exit(EXIT_FAILED);
}

/** Whether npm started us. Others may end before us on purpose: a shell that we run behind. */
function isScript(): boolean {
  return process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32';
}

function watchParent(stop: () => void): void {
  if (firstParent === INIT && !runsScripts(INIT)) {
    stop();
    return;
  }
  const timer = setInterval(() => {
    if (process.ppid === firstParent) return;
    clearInterval(timer);
    stop();
  }, PARENT_LOOK);
  timer.unref();
}

/** Whether a process is npm or its like, as the first one of a container may be. */
function runsScripts(pid: number): boolean {
  try {
    return /npm|yarn|bun/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    // Not a system that tells.
    return false;
  }
}
