/**
 * Requests to Cloudflare's REST API: within its rate limits, repeated with backoff and jitter after
 * 429, 5xx, dropped connections and timeouts, given up at once after any other refusal. Every
 * request that goes through here may safely be repeated, or looks first whether it still may.
 */
import type { z } from 'zod';
import type { ApiAccess } from './api-access.ts';
import {
  type ApiFault,
  CloudflareApiError,
  describeCause,
  describeFaults,
  isUsedUp,
  readEnvelope,
} from './api-answer.ts';
import { exchange, type HttpAnswer, repeatPassing } from './http-exchange.ts';
import type { Guard } from './key-value-store.ts';
import {
  API_LIMITS,
  backoff,
  type Clock,
  type PaceLimits,
  RequestPace,
  readRateLimit,
  readRetryAfter,
  SYSTEM_CLOCK,
} from './pace.ts';

/** Milliseconds; the API blocks for five minutes, and longer waits are somebody else's decision. */
const LONGEST_PAUSE = 600_000;

export interface ApiRequest {
  /** Completes the sentence "Cloudflare's API did not …". */
  readonly purpose: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below its owner, every part of it encoded: `/storage/kv/…`. */
  readonly path: string;
  /** Whose the path is: the account's, which is the default, or the user's. */
  readonly owner?: 'account' | 'user';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** Called right before every attempt, after all waiting; what it throws ends the request. */
  readonly guard?: Guard | undefined;
}

interface Body {
  readonly type: 'application/json' | 'application/octet-stream';
  readonly bytes: Uint8Array;
}

/** A wait before the next request. */
export interface ApiWait {
  readonly milliseconds: number;
  readonly reason: string;
}

export interface ApiOptions {
  /**
   * Ends the requests and waits under way when aborted, by throwing its reason. Those that begin
   * afterwards are for tidying up and go their way.
   */
  readonly signal?: AbortSignal;
  /** Told of each wait that a failure causes. */
  readonly onWait?: (wait: ApiWait) => void;
  readonly clock?: Clock;
  readonly limits?: PaceLimits;
  /** Milliseconds that an attempt may take, before what its body needs. */
  readonly timeout?: number;
}

export class CloudflareApi {
  private readonly access: ApiAccess;
  private readonly options: ApiOptions;
  readonly clock: Clock;
  private readonly limits: PaceLimits;
  private readonly pace: RequestPace;
  /** How far the clock of the API is ahead of this machine's, milliseconds, as it said last. */
  private clockOffset = 0;

  constructor(access: ApiAccess, options: ApiOptions = {}) {
    this.access = access;
    this.options = options;
    this.clock = options.clock ?? SYSTEM_CLOCK;
    this.limits = options.limits ?? API_LIMITS;
    this.pace = new RequestPace(this.limits, this.clock);
  }

  /** The answer's body as it came. @throws CloudflareApiError */
  async bytes(request: ApiRequest): Promise<Uint8Array> {
    return this.repeat((signal) => this.attempt(request, signal));
  }

  /**
   * The result in the answer's envelope, and the cursor of the next page (null after the last).
   * @throws CloudflareApiError also when the answer is not what `schema` expects
   */
  async json<T>(
    request: ApiRequest,
    schema: z.ZodType<T>,
  ): Promise<{ readonly result: T; readonly cursor: string | null }> {
    return this.repeat(async (signal) => {
      const envelope = readEnvelope(await this.attempt(request, signal));
      if (!envelope) throw this.error(request, 'sent no JSON', { status: null, passing: true });
      if (!envelope.success) throw this.refusal(request, 200, envelope.faults);
      const result = schema.safeParse(envelope.result);
      if (result.success) return { result: result.data, cursor: envelope.cursor };
      throw unexpected(request, result.error);
    });
  }

  /** Waits before something is tried for the time number `attempt` + 1. */
  async backOff(attempt: number, reason: string): Promise<void> {
    await this.wait(backoff(attempt, this.clock.random()), reason);
  }

  /** Waits so many milliseconds, unless the signal is aborted. */
  async wait(milliseconds: number, reason: string, signal = this.signalNow()): Promise<void> {
    this.options.onWait?.({ milliseconds, reason });
    await this.clock.sleep(milliseconds, signal);
  }

  /**
   * What time it is by the clock of the API, milliseconds since 1970; by that of this machine before
   * the first answer.
   */
  now(): number {
    return this.clock.now() + this.clockOffset;
  }

  /** Seconds that so many requests take at the pace that the API allows. */
  secondsFor(requests: number): number {
    return this.pace.durationOf(requests) / 1000;
  }

  /** What ends the requests that begin now; nothing once it was aborted. */
  signalNow(): AbortSignal | undefined {
    const { signal } = this.options;
    return signal?.aborted ? undefined : signal;
  }

  private async repeat<T>(attempt: (signal?: AbortSignal) => Promise<T>): Promise<T> {
    const signal = this.signalNow();
    return repeatPassing(
      () => this.pace.run(() => attempt(signal), signal),
      (error, count) => this.wait(this.waitAfter(error, count), error.message, signal),
      signal,
    );
  }

  /** Milliseconds to wait after an attempt failed. @throws the error when they are too many */
  private waitAfter(error: CloudflareApiError, attempt: number): number {
    const { retryAfter } = error;
    if (retryAfter === null) return backoff(attempt, this.clock.random());
    if (retryAfter > LONGEST_PAUSE) throw error;
    // What the API asks of one request it would ask of all.
    this.pace.pause(retryAfter);
    return retryAfter + backoff(1, this.clock.random());
  }

  private async attempt(request: ApiRequest, signal?: AbortSignal): Promise<Uint8Array> {
    const { status, headers, bytes } = await this.exchange(request, signal);
    const limit = readRateLimit(headers.get('ratelimit'));
    if (limit) this.pace.heed(limit);
    if (status >= 200 && status < 300) return bytes;
    const faults = readEnvelope(bytes)?.faults ?? [];
    throw this.refusal(request, status, faults, this.waitAsked(status, headers));
  }

  /**
   * Milliseconds that an answer asks to wait. A 429 that does not say how long can mean the rest of
   * the window of the limit.
   */
  private waitAsked(status: number, headers: Headers): number | null {
    const asked = readRetryAfter(headers.get('retry-after'), this.clock.now());
    if (asked !== null || status !== 429) return asked;
    return readRateLimit(headers.get('ratelimit'))?.renewal ?? this.limits.window;
  }

  private async exchange(request: ApiRequest, interruption?: AbortSignal): Promise<HttpAnswer> {
    const { method, body } = request;
    const headers = {
      authorization: `Bearer ${this.access.token}`,
      ...(body ? { 'content-type': body.type } : {}),
    };
    const sent = { method, headers, body: body?.bytes ?? null };
    request.guard?.();
    try {
      const answer = await exchange(this.urlOf(request), sent, interruption, this.options.timeout);
      const time = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(time)) this.clockOffset = time - this.clock.now();
      return answer;
    } catch (cause) {
      const message = `gave no answer at ${this.access.baseUrl} (${describeCause(cause)})`;
      throw this.error(request, message, { status: null, passing: true, cause });
    }
  }

  private urlOf({ path, query, owner = 'account' }: ApiRequest): string {
    const { baseUrl, accountId } = this.access;
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const place = owner === 'user' ? '/user' : `/accounts/${encodeURIComponent(accountId)}`;
    return `${baseUrl}${place}${path}${search}`;
  }

  private refusal(
    request: ApiRequest,
    status: number,
    reported: readonly ApiFault[],
    wait: number | null = null,
  ): CloudflareApiError {
    const faults = reported.map((fault) => this.withoutToken(fault));
    const words = describeFaults(faults);
    const advice =
      wait === null || isUsedUp(faults)
        ? ''
        : ` (to be repeated after ${Math.ceil(wait / 1000)} s)`;
    return this.error(request, `answered ${status}${words && `: ${words}`}${advice}`, {
      status,
      faults,
      passing: (status === 429 && !isUsedUp(faults)) || status >= 500,
      retryAfter: wait,
    });
  }

  /** A fault as it may be printed: whoever answers might repeat what it was sent. */
  private withoutToken({ code, message }: ApiFault): ApiFault {
    return { code, message: message.replaceAll(this.access.token, '[token]') };
  }

  private error(
    { purpose }: ApiRequest,
    message: string,
    options: ConstructorParameters<typeof CloudflareApiError>[1],
  ): CloudflareApiError {
    return new CloudflareApiError(`Cloudflare's API did not ${purpose}: it ${message}`, options);
  }
}

/** Of an answer that consents, but not in the words expected: what was asked for has probably been done. */
function unexpected({ purpose }: ApiRequest, cause: unknown): CloudflareApiError {
  const message = `Cloudflare's API was asked to ${purpose}, and sent a result of an unknown shape`;
  return new CloudflareApiError(message, {
    status: 200,
    passing: false,
    isUnexpected: true,
    cause,
  });
}
