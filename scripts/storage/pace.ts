/**
 * When requests to Cloudflare are sent: a clock that tests replace, the waits before something is
 * tried again, and the pace that the API allows. Everybody who uses an account shares 1,200 requests
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
  sleep: async (milliseconds, signal) => {
    try {
      await sleepFor(milliseconds, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  random: () => Math.random(),
};

/** Milliseconds before the second attempt, at most; twice as long before each further one. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/**
 * Milliseconds to wait after the failed attempt number `attempt`, counted from 1: exponential
 * backoff with full jitter, so that clients that failed together do not come back together.
 * @param random at least 0, less than 1
 */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
}

/**
 * Milliseconds that a Retry-After header asks for: it holds seconds or a date. Null when there is
 * none or it says nothing that can be understood.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

export interface PaceLimits {
  readonly inFlight: number;
  /** Requests begun within any `window` milliseconds. */
  readonly requests: number;
  readonly window: number;
}

/** Of the 1,200 requests in five minutes that the API allows, 100 are left to everyone else. */
export const API_LIMITS: PaceLimits = { inFlight: 6, requests: 1_100, window: 300_000 };

/** What an answer says of the limit. */
export interface RateLimit {
  /** Requests that are left. */
  readonly remaining: number;
  /** Milliseconds until there are more. */
  readonly renewal: number;
}

/** Reads a Ratelimit header, such as `"default";r=50;t=30`; null when it says nothing. */
export function readRateLimit(header: string | null): RateLimit | null {
  const [, remaining] = /(?:^|[;,\s])r=(\d+)/.exec(header ?? '') ?? [];
  const [, seconds] = /(?:^|[;,\s])t=(\d+)/.exec(header ?? '') ?? [];
  if (remaining === undefined || seconds === undefined) return null;
  return { remaining: Number(remaining), renewal: Number(seconds) * 1000 };
}

/**
 * Keeps requests within what the API allows: few at once, a bounded number in a window of time, and
 * none while it has asked for a pause.
 */
export class RequestPace {
  private readonly limits: PaceLimits;
  private readonly clock: Clock;
  /** When the requests of the last window began, the oldest first. */
  private readonly begun: number[] = [];
  private readonly queue: (() => void)[] = [];
  private running = 0;
  private pausedUntil = 0;
  /** Resolves when whoever came before has had its turn. */
  private turn: Promise<void> = Promise.resolve();

  constructor(limits: PaceLimits, clock: Clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** Runs `request` when its turn comes; throws the reason of `signal` if that is aborted before. */
  async run<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.takeSlot();
    try {
      await this.awaitTurn(signal);
      return await request();
    } finally {
      this.freeSlot();
    }
  }

  /** Milliseconds that so many requests take when nothing but the limit holds them up. */
  durationOf(requests: number): number {
    return Math.floor(Math.max(0, requests - 1) / this.limits.requests) * this.limits.window;
  }

  /**
   * Heeds what an answer says of the limit, which all commands of an account share with its users
   * and dashboards: when little is left, nothing more is begun until it is renewed.
   */
  heed({ remaining, renewal }: RateLimit): void {
    if (remaining < this.limits.inFlight) this.pause(renewal);
  }

  /** Begins no request for so many milliseconds. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
  }

  private async takeSlot(): Promise<void> {
    if (this.running === this.limits.inFlight) {
      // The slot is handed over: `running` stays as it is.
      await new Promise<void>((resolve) => this.queue.push(resolve));
    } else {
      this.running++;
    }
  }

  private freeSlot(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.running--;
  }

  private async awaitTurn(signal?: AbortSignal): Promise<void> {
    const mine = this.turn.then(async () => {
      signal?.throwIfAborted();
      for (let wait = this.waitNeeded(); wait > 0; wait = this.waitNeeded()) {
        await this.clock.sleep(wait, signal);
      }
      this.begun.push(this.clock.now());
    });
    this.turn = mine.catch(() => {});
    await mine;
  }

  private waitNeeded(): number {
    const now = this.clock.now();
    while (this.begun[0] !== undefined && this.begun[0] <= now - this.limits.window) {
      this.begun.shift();
    }
    const oldest = this.begun.at(-this.limits.requests);
    const windowOpens = oldest === undefined ? 0 : oldest + this.limits.window;
    return Math.max(this.pausedUntil, windowOpens) - now;
  }
}
