/** One request to Cloudflare over HTTP, whichever of its APIs it is for. */
import { describeCause, failure } from './api-answer.ts';

/** An attempt takes no longer than this, milliseconds, plus what its body needs on a slow line. */
const TIMEOUT = 30_000;
const SLOW_LINE_BYTES_PER_SECOND = 100_000;

export interface HttpRequest {
  /** Completes the sentence "Cloudflare's API did not …", or "R2 did not …". */
  readonly purpose: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly body?: Uint8Array;
}

/** Where a request goes. */
interface Way {
  /** Who answers, and where, as errors name them. */
  readonly who: string;
  readonly at: string;
  readonly url: string | URL;
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** Milliseconds, before what the body needs. */
  readonly timeout?: number | undefined;
  /** Ends the request when aborted, by throwing its reason. */
  readonly interruption?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** When it was answered, by the clock of who answered, milliseconds since 1970; NaN: not told. */
  readonly time: number;
}

/**
 * Sends a request once and reads the whole answer.
 * @throws CloudflareApiError when no answer came
 */
export async function exchange(
  { purpose, method, body }: HttpRequest,
  { who, at, url, headers, timeout = TIMEOUT, interruption }: Way,
): Promise<HttpAnswer> {
  const transfer = ((body?.length ?? 0) / SLOW_LINE_BYTES_PER_SECOND) * 1000;
  const limit = AbortSignal.timeout(timeout + Math.ceil(transfer));
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
    const time = Date.parse(response.headers.get('date') ?? '');
    return { status: response.status, headers: response.headers, bytes, time };
  } catch (cause) {
    interruption?.throwIfAborted();
    const what = `gave no answer at ${at} (${describeCause(cause)})`;
    throw failure(who, purpose, what, { status: null, passing: true, cause });
  }
}
