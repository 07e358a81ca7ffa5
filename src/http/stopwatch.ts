/**
 * Where the time of a request went.
 *
 * On Cloudflare the clock stands still while code runs and moves on when I/O is awaited, so there
 * the figures show waiting; locally they show computing as well.
 */
export const PHASES = ['auth', 'load', 'query', 'render'] as const;

export type Phase = (typeof PHASES)[number];

/** Milliseconds per phase, for the phases that were gone through. */
export type Laps = { [phase in Phase]?: number };

const MICROSECONDS = 1000;

export class Stopwatch {
  readonly laps: Laps = {};
  private last = performance.now();

  /** Books the time since the last lap (or the start) to `phase`. */
  lap(phase: Phase): void {
    const now = performance.now();
    const milliseconds = Math.round((now - this.last) * MICROSECONDS) / MICROSECONDS;
    this.laps[phase] = (this.laps[phase] ?? 0) + milliseconds;
    this.last = now;
  }

  /** The value of a `Server-Timing` header; empty when there is no lap. */
  serverTiming(): string {
    let text = '';
    for (const phase of PHASES) {
      const milliseconds = this.laps[phase];
      if (milliseconds === undefined) continue;
      text += `${text === '' ? '' : ', '}${phase};dur=${milliseconds}`;
    }
    return text;
  }
}
