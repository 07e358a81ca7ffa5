/** Requests to Cloudflare over HTTP, whichever of its APIs they are for: one attempt, and the next. */
import { CloudflareApiError } from './api-answer.ts';

/** With the waits between them, half a minute of trouble is sat out on average, a minute at most. */
export const ATTEMPTS = 8;

/** An attempt takes no longer than this, milliseconds, plus what its body needs on a slow line. */
const TIMEOUT = 30_000;
const SLOW_LINE_BYTES_PER_SECOND = 100_000;

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>> | Headers;
  readonly body: Uint8Array | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/**
 * Sends a request and reads the whole answer.
 * @param interruption ends it when aborted
 * @param timeout milliseconds, before what the body needs
 * @throws whatever kept the answer from coming
 */
export async function exchange(
  url: string | URL,
  { method, headers, body }: HttpRequest,
  interruption?: AbortSignal,
  timeout = TIMEOUT,
): Promise<HttpAnswer> {
  const transfer = ((body?.length ?? 0) / SLOW_LINE_BYTES_PER_SECOND) * 1000;
  const limit = AbortSignal.timeout(timeout + Math.ceil(transfer));
  const response = await fetch(url, {
    method,
    headers,
    // A body must not be shared memory, which only its type might allow.
    body: body as Uint8Array<ArrayBuffer> | null,
    // Secrets go to the host they were given for.
    redirect: 'manual',
    signal: interruption ? AbortSignal.any([interruption, limit]) : limit,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/**
 * Tries again after failures that may pass.
 * @param waitAfter waits before the next attempt; what it throws ends the work
 * @param signal its reason is thrown once it is aborted
 */
export async function repeatPassing<T>(
  attempt: () => Promise<T>,
  waitAfter: (error: CloudflareApiError, attempts: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const mayRepeat = error instanceof CloudflareApiError && error.passing;
      if (!mayRepeat || count === ATTEMPTS) throw error;
      await waitAfter(error, count);
    }
  }
}
