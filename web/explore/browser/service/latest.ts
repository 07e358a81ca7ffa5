/**
 * Makes a slot for work of one kind, of which only the latest counts: what begins ends what went before.
 * @param settle milliseconds after which work begins: what is asked for meanwhile replaces it
 */
export function latest(settle: number) {
  let running = new AbortController();
  /** What is being done, or was done last; null when that came to nothing. */
  let asked: string | null = null;

  /** Begins, unless the same was asked for last. Returns whether it does. */
  function begin(
    next: string,
    work: (signal: AbortSignal) => Promise<void>,
    onFault: (error: unknown) => void = () => {},
  ): boolean {
    if (next === asked) return false;
    end();
    asked = next;
    const { signal } = running;
    setTimeout(async () => {
      if (signal.aborted) return;
      try {
        await work(signal);
      } catch (error) {
        if (signal.aborted) return;
        asked = null;
        onFault(error);
      }
    }, settle);
    return true;
  }

  /** Ends what is under way; the same is done again then. */
  function end(): void {
    running.abort();
    running = new AbortController();
    asked = null;
  }

  return { begin, end };
}
