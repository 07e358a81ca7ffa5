/** Clocks in time zones: instants are milliseconds since 1970 in UTC, local times the same count of a local clock. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Clock {
  /** Returns the offset at `instant`, and how long it is sure to last. */
  spanAt(instant: number): OffsetSpan;
}

/** A time in which a zone keeps one offset. */
export interface OffsetSpan {
  /** Milliseconds that local time is ahead of UTC. */
  readonly offset: number;
  /** The first instant at which the offset may be another one. */
  readonly until: number;
}

/** What a clock shows at an instant. Dates are numbers of days since 1970-01-01. */
export type LocalTime = ReturnType<typeof localTime>;

export function localTime(clock: Clock, instant: number) {
  const { offset, until } = clock.spanAt(instant);
  const date = Math.floor((instant + offset) / DAY);
  return {
    instant,
    date,
    /** Milliseconds of the date that have passed by the clock. */
    time: instant + offset - date * DAY,
    /** The first instant at which the offset may be another one. */
    until,
    /** The noon of the date, and the noon of the date before. */
    noon: noonOf(clock, date),
    noonBefore: noonOf(clock, date - 1),
  };
}

export function noonOf(clock: Clock, date: number): number {
  return instantOf(clock, date * DAY + DAY / 2);
}

/**
 * Returns the instant of a local time. If clocks show it twice, the first instant counts. If they skip it,
 * the instant counts at which a clock that was not put forward would show it.
 */
export function instantOf(clock: Clock, local: number): number {
  const early = clock.spanAt(local - DAY).offset;
  const late = clock.spanAt(local + DAY).offset;
  if (clock.spanAt(local - early).offset === early) return local - early;
  return clock.spanAt(local - late).offset === late ? local - late : local - early;
}
