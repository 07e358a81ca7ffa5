/** Points in time, which compare rightly whatever offset and precision they are written with. */

interface Instant {
  /** Since 1970. */
  readonly milliseconds: number;
  /** Digits of the second after the milliseconds, without zeros at the end: `5` for `.123500`. */
  readonly beyond: string;
}

/** The instant of an ISO 8601 date-time. */
export function instantOf(timestamp: string): Instant {
  const beyond = /\.\d{3}(\d+)/.exec(timestamp)?.[1] ?? '';
  return { milliseconds: Date.parse(timestamp), beyond: beyond.replace(/0+$/, '') };
}

/** Orders instants from early to late. */
export function byInstant(a: Instant, b: Instant): number {
  if (a.milliseconds !== b.milliseconds) return a.milliseconds - b.milliseconds;
  return a.beyond < b.beyond ? -1 : Number(a.beyond > b.beyond);
}
