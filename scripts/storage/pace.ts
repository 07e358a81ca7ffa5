/**
 * When requests to Cloudflare are sent: a clock that tests replace, the waits before something is
 * tried again, and the pace that the API allows. All users of an account share 1,200 requests
 * in five minutes; after too many it blocks all of them, the dashboard included, for five minutes.
 */
import { setTimeout as sleepFor } from 'node:timers/promises';

/** Time and chance. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; throws the reason of `signal` as soon as that is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    // Nothing else ends it early.
    sleepFor(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted()),
  random: () => Math.random(),
};

/** Milliseconds before the second attempt, at most; twice as long before each further one. */
const FIRST_WAIT = 500;
const MAX_WAIT = 30_000;

/**
 * Milliseconds to wait after the failed attempt number `attempt`, counted from 1: exponential
 * backoff with full jitter, so that clients that failed together do not come back together.
 * @param random at least 0, less than 1
 */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
}

/** How often all users of an account may ask the API within a time, milliseconds. */
const REQUESTS = 1_200;
export const WINDOW = 300_000;

/** Where fewer requests are left than this, none begins before there are more: others may be under way. */
const MIN_LEFT = 6;

/** Seconds that so many requests take when nothing but the limit holds them up. */
export function secondsFor(requests: number): number {
  return (Math.floor(requests / REQUESTS) * WINDOW) / 1000;
}

/** Reads a Ratelimit header, such as `"default";r=50;t=30`; null when it says nothing. */
export function readRateLimit(header: string | null) {
  const [, remaining] = /[;\s]r=(\d+)/.exec(header ?? '') ?? [];
  const [, seconds] = /[;\s]t=(\d+)/.exec(header ?? '') ?? [];
  if (!remaining || !seconds) return null;
  return {
    isLow: Number(remaining) < MIN_LEFT,
    /** Milliseconds until there are more. */
    renewal: Number(seconds) * 1000,
  };
}

/** Keeps requests within what the API allows: none begins while it has asked for a pause. */
export function requestPace(clock: Clock) {
  let pausedUntil = 0;

  /** Milliseconds until a request is begun again. */
  const pauseLeft = () => Math.max(0, pausedUntil - clock.now());

  return {
    pauseLeft,

    /** Begins no request for so many milliseconds. */
    pause(milliseconds: number): void {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
    },

    /** Waits until a request may begin; throws the reason of `signal` if that is aborted before. */
    async untilAllowed(signal?: AbortSignal): Promise<void> {
      while (pauseLeft() > 0) await clock.sleep(pauseLeft(), signal);
    },
  };
}
