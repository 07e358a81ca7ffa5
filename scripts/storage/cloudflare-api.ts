/**
 * Requests to Cloudflare's REST API: within its rate limits, repeated with backoff and jitter after
 * 429, 5xx, dropped connections and timeouts, given up at once after any other refusal. Every
 * request that goes through here may safely be repeated.
 *
 * All users of an account share 1,200 requests in five minutes; after too many the API blocks all of them, the
 * dashboard included, for five minutes.
 */
import * as z from 'zod';
import { readRetryAfter } from '../../client/src/retry-after.ts';
import { type Clock, SYSTEM_CLOCK, waitFor } from '../cli/pace.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { ApiAccess } from './api-access.ts';
import { CloudflareError, meaningOf, PASSING } from './api-answer.ts';

/** With the waits between them, half a minute of trouble is sat out on average, a minute at most. */
export const ATTEMPTS = 8;

/** Milliseconds before the second attempt, at most; twice as long before each further one. */
const FIRST_WAIT = 500;
const MAX_WAIT = 30_000;

/** Milliseconds of the rate limit's window. */
const WINDOW = 300_000;

/** Milliseconds; longer waits are left to the caller. */
const MAX_PAUSE = 600_000;

/** Where fewer requests are left than this, none begins before there are more: others may be under way. */
const MIN_LEFT = 6;

/** An attempt takes no longer than this, milliseconds, plus what its body needs on a slow line. */
const TIMEOUT = 30_000;
const SLOW_LINE_BYTES_PER_SECOND = 100_000;

/** Code by which the API says that a key is not there. */
const KEY_MISSING = 10009;

const refusalSchema = z
  .object({ errors: z.array(z.object({ code: z.number(), message: z.string() })) })
  .catch({ errors: [] });

export interface CloudflareRequest {
  /** Completes the sentence "Cloudflare did not …". */
  readonly purpose: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface ApiRequest extends CloudflareRequest {
  /** Every part of it encoded. */
  readonly path: string;
}

export type CloudflareApi = ReturnType<typeof cloudflareApi>;

/**
 * Opens the API.
 * @param context its signal ends the requests and waits under way when aborted; those that begin afterwards are for
 *   tidying up and go their way
 */
export function cloudflareApi(
  access: ApiAccess,
  context: CommandContext,
  clock: Clock = SYSTEM_CLOCK,
) {
  const { token, baseUrl } = access;
  /** No request begins before this time, milliseconds since 1970. */
  let pausedUntil = 0;
  /** How far Cloudflare's clock is ahead of this machine's, milliseconds, as it said last. */
  let clockOffset = 0;

  function pause(milliseconds: number): void {
    pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
  }

  /** Returns what time it is by Cloudflare's clock, or by this machine's before the first answer. */
  function now(): number {
    return clock.now() + clockOffset;
  }

  /**
   * Tries again, after a wait, as long as it fails in a way that may pass.
   * @param attempt is given what ends it, and the waits; nothing where that was aborted before
   */
  async function repeat<T>(attempt: (signal?: AbortSignal) => Promise<T>): Promise<T> {
    const { remark } = context;
    const signal = context.signal.aborted ? undefined : context.signal;
    for (let count = 1; ; count++) {
      try {
        return await attempt(signal);
      } catch (error) {
        const mayPass = error instanceof CloudflareError && error.passing;
        if (count === ATTEMPTS || !mayPass) throw error;
        // With full jitter clients that failed together do not come back together.
        const backoff = Math.random() * Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (count - 1));
        const wait = Math.max(backoff, pausedUntil - clock.now());
        await waitFor({ clock, context: { remark, signal } }, wait, error.message);
      }
    }
  }

  /**
   * Sends a request once, reads the whole answer, and takes down when it was answered.
   * @throws CloudflareError when no answer came
   */
  async function exchange(
    { purpose, method, body }: CloudflareRequest,
    url: string,
    headers: Headers | Readonly<Record<string, string>>,
    interruption?: AbortSignal,
  ) {
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
      const time = Date.parse(response.headers.get('date') ?? '');
      // Now: to read the answer may take a while.
      if (!Number.isNaN(time)) clockOffset = time - clock.now();
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { ok: response.ok, status: response.status, headers: response.headers, bytes };
    } catch (cause) {
      interruption?.throwIfAborted();
      const { message, cause: reason } = cause as Error & {
        readonly cause?: NodeJS.ErrnoException;
      };
      // The code of a network error where it has one (ECONNRESET), else its words.
      const what = `gave no answer at ${new URL(url).origin} (${reason?.code ?? message})`;
      throw new CloudflareError(purpose, what, { ...PASSING, cause });
    }
  }

  /** Asks once. Returns the answer's body; null when it says that a key is not there. @throws CloudflareError */
  async function ask(request: ApiRequest, signal?: AbortSignal): Promise<Uint8Array | null> {
    const { path, query, purpose } = request;
    while (pausedUntil > clock.now()) await clock.sleep(pausedUntil - clock.now(), signal);
    const url = `${baseUrl}${path}?${new URLSearchParams(query)}`;
    const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await exchange(request, url, sent, signal);
    const { ok, status, headers, bytes } = answer;
    const limit = readRateLimit(headers.get('ratelimit'));
    if (limit?.isLow) pause(limit.renewal);
    if (ok) return bytes;
    const { errors } = refusalSchema.parse(readJson(bytes));
    const codes = errors.map(({ code }) => code);
    if (codes.includes(KEY_MISSING)) return null;
    const meaning = meaningOf(status, codes);
    // A 429 that does not say how long can mean the rest of the window.
    const silent = status === 429 ? (limit?.renewal ?? WINDOW) : 0;
    const wait = meaning.passing
      ? (readRetryAfter(headers.get('retry-after'), now()) ?? silent)
      : 0;
    const passing = meaning.passing && wait <= MAX_PAUSE;
    // What it asks of one request it would ask of all.
    if (passing) pause(wait);
    const words = errors.map(({ code, message }) => `${message} [code: ${code}]`).join(', ');
    const advice = wait > 0 ? ` (to be repeated after ${Math.ceil(wait / 1000)} s)` : '';
    const what = `answered ${[status, ...(words ? [words] : [])].join(': ')}${advice}`;
    // An answer might repeat what was sent.
    throw new CloudflareError(purpose, what.replaceAll(token, '[token]'), { ...meaning, passing });
  }

  /** Asks once for what `json` returns. */
  async function jsonOnce<T>(request: ApiRequest, schema: z.ZodType<T>, signal?: AbortSignal) {
    const bytes = await ask(request, signal);
    const envelope = z.object({
      success: z.literal(true),
      result: schema,
      /** Where the next page begins; none, or an empty text, after the last. */
      result_info: z.object({ cursor: z.string().nullish() }).nullish(),
    });
    const { success, data, error: cause } = envelope.safeParse(bytes && readJson(bytes));
    if (success) return { result: data.result, cursor: data.result_info?.cursor || null };
    // What was asked for has probably been done.
    const message = `Cloudflare was asked to ${request.purpose}, and sent a result of an unknown shape`;
    throw new Error(message, { cause });
  }

  return {
    access,
    now,
    repeat,
    exchange,
    ask,
    jsonOnce,

    /**
     * Returns the result in the answer's envelope, and the cursor of the next page (null after the last).
     * @throws CloudflareError; Error when the answer is not what `schema` expects
     */
    json: <T>(request: ApiRequest, schema: z.ZodType<T>) =>
      repeat((signal) => jsonOnce(request, schema, signal)),
  };
}

/** Reads a Ratelimit header, such as `"default";r=50;t=30`; null when it says nothing. */
function readRateLimit(header: string | null) {
  const [, remaining] = /[;\s]r=(\d+)/.exec(header ?? '') ?? [];
  const [, seconds] = /[;\s]t=(\d+)/.exec(header ?? '') ?? [];
  if (!remaining || !seconds) return null;
  return {
    isLow: Number(remaining) < MIN_LEFT,
    /** Milliseconds until there are more. */
    renewal: Number(seconds) * 1000,
  };
}

/** Returns what JSON holds; undefined when it is none, such as the page of a gateway. */
function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
