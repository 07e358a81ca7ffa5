/**
 * Keeps requests within what the API allows: few at once, a bounded number in a window of time, and
 * none while it has asked for a pause. Cloudflare blocks every request of an account's user for
 * five minutes after too many of them, the dashboard's included.
 */
import type { Clock } from './clock.ts';

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
