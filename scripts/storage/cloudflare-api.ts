/**
 * Requests to Cloudflare's REST API: within its rate limits, repeated with backoff and jitter after
 * 429, 5xx, dropped connections and timeouts, given up at once after any other refusal. Every
 * request that goes through here may safely be repeated.
 */
import type * as z from 'zod';
import { readRetryAfter } from '../../client/src/retry-after.ts';
import { messageOf } from '../cli/command-error.ts';
import {
  type ApiAccess,
  type ApiFault,
  CloudflareApiError,
  type Exchange,
  failure,
  type HttpRequest,
  isUsedUp,
  readEnvelope,
} from './api-answer.ts';
import { backoff, type Clock, readRateLimit, requestPace, SYSTEM_CLOCK, WINDOW } from './pace.ts';

/** With the waits between them, half a minute of trouble is sat out on average, a minute at most. */
export const ATTEMPTS = 8;

/** Milliseconds; the API blocks for five minutes; longer waits are left to the caller. */
const MAX_PAUSE = 600_000;

const API = "Cloudflare's API";

/** An attempt takes no longer than this, milliseconds, plus what its body needs on a slow line. */
const TIMEOUT = 30_000;
const SLOW_LINE_BYTES_PER_SECOND = 100_000;

export interface ApiRequest extends HttpRequest {
  /** Every part of it encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

export interface ApiOptions {
  /**
   * Ends the requests and waits under way when aborted, by throwing its reason. Those that begin
   * afterwards are for tidying up and go their way.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait that a failure causes, with its length: at least what the API asks for. */
  readonly onWait?: (milliseconds: number, reason: string) => void;
  readonly clock?: Clock;
}

export type CloudflareApi = ReturnType<typeof cloudflareApi>;

export function cloudflareApi(access: ApiAccess, options: ApiOptions = {}) {
  const { token, accountId, baseUrl } = access;
  const { onWait, clock = SYSTEM_CLOCK } = options;
  const pace = requestPace(clock);
  /** How far Cloudflare's clock is ahead of this machine's, milliseconds, as it said last. */
  let clockOffset = 0;

  /** Returns the answer's body as it came. @throws CloudflareApiError */
  function bytes(request: ApiRequest): Promise<Uint8Array> {
    return send(request, (body) => body);
  }

  /**
   * Returns the result in the answer's envelope, and the cursor of the next page (null after the last).
   * @throws CloudflareApiError also when the answer is not what `schema` expects
   */
  function json<T>(request: ApiRequest, schema: z.ZodType<T>) {
    return send(request, (body) => {
      const { purpose } = request;
      const envelope = readEnvelope(body);
      if (!envelope) throw failure(API, purpose, 'sent no JSON', { status: null, passing: true });
      if (!envelope.success) throw refusal(purpose, 200, envelope.errors);
      const result = schema.safeParse(envelope.result);
      if (result.success) {
        return { result: result.data, cursor: envelope.result_info?.cursor || null };
      }
      // What was asked for has probably been done.
      throw new CloudflareApiError(
        `${API} was asked to ${purpose}, and sent a result of an unknown shape`,
        { status: 200, code: 'api_unexpected', passing: false, cause: result.error },
      );
    });
  }

  /**
   * Tries again, after a wait, as long as it fails in a way that may pass.
   * @param attempt is given what ends it, and the waits; nothing where that was aborted before
   * @param mayPass which failures these are
   */
  async function repeat<T>(
    attempt: (signal?: AbortSignal) => Promise<T>,
    mayPass = (error: unknown) => error instanceof CloudflareApiError && error.passing,
  ): Promise<T> {
    const signal = options.signal?.aborted ? undefined : options.signal;
    for (let count = 1; ; count++) {
      try {
        return await attempt(signal);
      } catch (error) {
        if (count === ATTEMPTS || !mayPass(error)) throw error;
        const wait = backoff(count, clock.random());
        onWait?.(Math.max(wait, pace.pauseLeft()), messageOf(error));
        await clock.sleep(wait, signal);
      }
    }
  }

  /** Returns what time it is by Cloudflare's clock, or by this machine's before the first answer. */
  function now(): number {
    return clock.now() + clockOffset;
  }

  /**
   * Sends a request once, reads the whole answer, and takes down when it was answered.
   * @throws CloudflareApiError when no answer came
   */
  async function exchange(request: Exchange) {
    const { purpose, method, body, who, at, url, headers, interruption } = request;
    const transfer = ((body?.length ?? 0) / SLOW_LINE_BYTES_PER_SECOND) * 1000;
    const limit = AbortSignal.timeout(TIMEOUT + Math.ceil(transfer));
    try {
      const response = await fetch(url, {
        method,
        headers,
        // A body must not be shared memory, which only its type might allow.
        body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
        // Secrets go to the host they were given for.
        redirect: 'manual',
        signal: interruption ? AbortSignal.any([interruption, limit]) : limit,
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      // By the clock of who answered, milliseconds since 1970; NaN: not told.
      const time = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(time)) clockOffset = time - clock.now();
      return { status: response.status, headers: response.headers, bytes, time };
    } catch (cause) {
      interruption?.throwIfAborted();
      const what = `gave no answer at ${at} (${describeCause(cause)})`;
      throw failure(who, purpose, what, { status: null, passing: true, cause });
    }
  }

  function send<T>(request: ApiRequest, read: (body: Uint8Array) => T): Promise<T> {
    return repeat(async (signal) => {
      await pace.untilAllowed(signal);
      return read(await attempt(request, signal));
    });
  }

  async function attempt(request: ApiRequest, interruption?: AbortSignal): Promise<Uint8Array> {
    const { path, query, body, purpose } = request;
    const url = `${baseUrl}${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const way = { who: API, at: baseUrl, url, headers, interruption };
    const answer = await exchange({ ...request, ...way });
    const { status, bytes } = answer;
    const limit = readRateLimit(answer.headers.get('ratelimit'));
    // All commands of an account share it with its users and dashboards.
    if (limit?.isLow) pace.pause(limit.renewal);
    if (status >= 200 && status < 300) return bytes;
    const asked = readRetryAfter(answer.headers.get('retry-after'), now());
    // A 429 that does not say how long can mean the rest of the window of the limit.
    const silent = status === 429 ? (limit?.renewal ?? WINDOW) : null;
    throw refusal(purpose, status, readEnvelope(bytes)?.errors, asked ?? silent);
  }

  /** Makes the error. @param wait milliseconds that the API asks to wait: of one request what it would ask of all */
  function refusal(
    purpose: string,
    status: number,
    reported: readonly ApiFault[] | null | undefined,
    wait: number | null = null,
  ): CloudflareApiError {
    // An answer might repeat what was sent.
    const faults = (reported ?? []).map(({ code, message }) => {
      return { code, message: message.replaceAll(token, '[token]') };
    });
    const isFinal = isUsedUp(faults);
    const isBusy = status >= 500 || (status === 429 && !isFinal);
    const passing = isBusy && (wait ?? 0) <= MAX_PAUSE;
    const described = faults.map(({ code, message }) =>
      code === undefined ? message : `${message} [code: ${code}]`,
    );
    const words = faults.length > 0 ? `: ${described.join(', ')}` : '';
    const advice =
      wait === null || isFinal ? '' : ` (to be repeated after ${Math.ceil(wait / 1000)} s)`;
    const what = `answered ${status}${words}${advice}`;
    if (passing && wait !== null) pace.pause(wait);
    return failure(API, purpose, what, { status, faults, passing });
  }

  return {
    access,
    clock,
    onWait,
    /** What the paths of all that is the account's begin with. */
    account: `/accounts/${encodeURIComponent(accountId)}`,
    bytes,
    json,
    repeat,
    now,
    exchange,
  };
}

/** Returns the code of a network error where it has one (ECONNRESET), else its words. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'timed out';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : error.message;
}
