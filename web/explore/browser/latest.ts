/** Work of one kind, of which only the latest counts: what begins ends what went before. */
export class Latest {
  private readonly settle: number;
  private running = new AbortController();
  /** What is being done, or was done last; null when that came to nothing. */
  private asked: string | null = null;

  /** @param settle milliseconds after which it begins: what is asked for meanwhile takes its place */
  constructor(settle: number) {
    this.settle = settle;
  }

  /** Begins, unless the same was asked for last. Returns whether it does. */
  begin(
    asked: string,
    work: (signal: AbortSignal) => Promise<void>,
    onFault: (error: unknown) => void = () => {},
  ): boolean {
    if (asked === this.asked) return false;
    this.end();
    this.asked = asked;
    const { signal } = this.running;
    setTimeout(async () => {
      if (signal.aborted) return;
      try {
        await work(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.asked = null;
        onFault(error);
      }
    }, this.settle);
    return true;
  }

  /** Ends what is under way; the same is done again then. */
  end(): void {
    this.running.abort();
    this.running = new AbortController();
    this.asked = null;
  }
}
