/**
 * The rate limiting binding as the platform has it: an object in the isolate of the Worker that
 * counts in memory, without storage or network on the way (the platform shares counters behind the
 * answers). The limit is one that the benchmark never reaches, unless guesses are what is measured.
 */

interface Settings {
  readonly limit: number;
  /** Seconds. */
  readonly period: number;
}

class RateLimiter {
  private readonly settings: Settings;
  private readonly counts = new Map<string, number>();
  private window = 0;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  async limit({ key }: { key: string }): Promise<{ success: boolean }> {
    const window = Math.floor(Date.now() / 1000 / this.settings.period);
    if (window !== this.window) {
      this.window = window;
      this.counts.clear();
    }
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return { success: count <= this.settings.limit };
  }
}

/** workerd calls this once for each binding, with the inner bindings. */
export default function makeRateLimiter(env: Settings): RateLimiter {
  return new RateLimiter(env);
}
