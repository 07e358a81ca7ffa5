import { batch, signal } from '@preact/signals';
import type { Wait } from '../../../../client/src/retries.ts';

/** Why there is nothing new. */
export interface Failure {
  readonly error: unknown;
  /** When it is tried again, in milliseconds since 1970; null: when the user wants it. */
  readonly until: number | null;
}

/** What work goes by. */
export interface Job {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called with every wait before another try. */
  readonly onWait: (wait: Wait) => void;
}

/**
 * Makes a slot for work of one kind, of which only the latest counts: what begins ends what went before.
 * @param first its value until work has brought one
 * @param settle milliseconds after which work begins: what is asked for meanwhile replaces it
 */
export function latest<Value>(first: Value, settle = 0) {
  /** What work has brought last: it stays until there is more. */
  const value = signal(first);
  /** Why the latest work has failed, or waits; null once it has brought something. */
  const failure = signal<Failure | null>(null);
  /** Whether the latest work has brought nothing yet. */
  const isBusy = signal(false);
  let running = new AbortController();
  /** What is being done, or was done last; null when that came to nothing. */
  let lastKey: string | null = null;
  /** Begins that once more. */
  let repeat = () => {};

  /** Begins, unless the same was asked for last; `show` takes what work brings. Returns whether it does. */
  function begin(
    key: string,
    work: (show: (value: Value) => void, job: Job) => Promise<void>,
  ): boolean {
    if (key === lastKey) return false;
    end();
    lastKey = key;
    repeat = () => void begin(key, work);
    isBusy.value = true;
    const { signal } = running;
    const unlessEnded = (change: () => void) => {
      if (!signal.aborted) batch(change);
    };
    const show = (brought: Value) =>
      unlessEnded(() => {
        value.value = brought;
        isBusy.value = false;
        failure.value = null;
      });
    const onWait = ({ milliseconds, reason }: Wait) =>
      unlessEnded(() => {
        failure.value = { error: reason, until: Date.now() + milliseconds };
      });
    const fail = (error: unknown) =>
      unlessEnded(() => {
        end();
        failure.value = { error, until: null };
      });
    setTimeout(() => {
      if (!signal.aborted) work(show, { signal, onWait }).catch(fail);
    }, settle);
    return true;
  }

  /** Ends what is under way; the same is done again then. */
  function end(): void {
    running.abort();
    running = new AbortController();
    lastKey = null;
    isBusy.value = false;
    failure.value = null;
  }

  /** Begins once more what was begun last. */
  function again(): void {
    end();
    repeat();
  }

  return { value, failure, isBusy, begin, end, again };
}
