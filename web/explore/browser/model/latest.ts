import { batch, signal } from '@preact/signals';

/**
 * Makes a slot for work of one kind, of which only the latest counts: what begins ends what went before.
 * @param first its value until work has brought one
 * @param settle milliseconds after which work begins: what is asked for meanwhile replaces it
 */
export function latest<Value>(first: Value, settle = 0) {
  /** What work has brought last: it stays until there is more. */
  const value = signal(first);
  /** Why the latest work has failed; null while it has not. */
  const error = signal<unknown>(null);
  /** Whether the latest work has brought nothing yet. */
  const isBusy = signal(false);
  let running = new AbortController();
  /** What is being done, or was done last; null when that came to nothing. */
  let asked: string | null = null;

  /** Begins, unless the same was asked for last; `show` takes what work brings. Returns whether it does. */
  function begin(
    next: string,
    work: (show: (value: Value) => void, signal: AbortSignal) => Promise<void>,
  ): boolean {
    if (next === asked) return false;
    end();
    asked = next;
    isBusy.value = true;
    const { signal } = running;
    const unlessEnded = (change: () => void) => {
      if (!signal.aborted) batch(change);
    };
    const show = (brought: Value) =>
      unlessEnded(() => {
        value.value = brought;
        isBusy.value = false;
      });
    const fail = (fault: unknown) =>
      unlessEnded(() => {
        end();
        error.value = fault;
      });
    setTimeout(() => {
      if (!signal.aborted) work(show, signal).catch(fail);
    }, settle);
    return true;
  }

  /** Ends what is under way; the same is done again then. */
  function end(): void {
    running.abort();
    running = new AbortController();
    asked = null;
    isBusy.value = false;
    error.value = null;
  }

  return { value, error, isBusy, begin, end };
}
