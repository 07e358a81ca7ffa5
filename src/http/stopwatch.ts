/**
 * Measures where the time of a request goes.
 *
 * On Cloudflare the clock only moves while a request waits for I/O, so there the figures show
 * waiting alone; on a developer's machine they include computing.
 */
const PHASES = ['auth', 'load', 'query', 'render'] as const;

export type Phase = (typeof PHASES)[number];

/** Milliseconds of each phase that the request has gone through. */
export type Laps = { [phase in Phase]?: number };

const MICROSECONDS = 1000;

export class Stopwatch {
  readonly laps: Laps = {};
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
