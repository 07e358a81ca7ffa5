/**
 * Measures where the time of a request goes.
 *
 * On Cloudflare the clock only moves while a request waits for I/O, so there the figures show
 * waiting alone; on a developer's machine they include computing. Stores are found between the reads of parts
 * and of documents: that counts as `load`, and `query` is what the query and its tag take.
 */
const PHASES = ['auth', 'load', 'query', 'render'] as const;

type Phase = (typeof PHASES)[number];

const MICROSECONDS = 1000;

export class Stopwatch {
  /** Milliseconds of each phase that the request has gone through. */
  readonly laps: { [phase in Phase]?: number } = {};
  private last = performance.now();

  /** Adds the time since the last lap, or since the start, to `phase`. */
  lap(phase: Phase): void {
    const now = performance.now();
    const milliseconds = Math.round((now - this.last) * MICROSECONDS) / MICROSECONDS;
    this.laps[phase] = (this.laps[phase] ?? 0) + milliseconds;
    this.last = now;
  }

  /** The value of a `Server-Timing` header; empty when there is no lap. */
  serverTiming(): string {
    const { laps } = this;
    return PHASES.filter((phase) => phase in laps)
      .map((phase) => `${phase};dur=${laps[phase]}`)
      .join(', ');
  }
}
