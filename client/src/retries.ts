/** When a request that failed is worth another try, and after how long. */
import { ConnectionError, ProblemError } from './errors.ts';

/** Longest wait before a try, milliseconds. When the service asks for more, the error is thrown. */
const MAX_WAIT = 120_000;

/** Milliseconds in all that a request waits for a release to arrive where it is asked for. */
const PATIENCE = 300_000;

/** Milliseconds between looks for a release that is on its way, where no answer asks for more. */
const RELEASE_WAIT = 5000;

/** Milliseconds before the second try, at least; twice that before the third, and so on. */
const FIRST_WAIT = 500;
/** The waits of several clients differ by up to this share, so that they do not come back at once. */
const SPREAD = 0.1;

/** Returns whether a status passes: too many requests, or a service or a proxy that cannot answer just now. */
function isPassing(status: number): boolean {
  // Cloudflare's own errors are 520 to 530.
  return [429, 502, 503, 504].includes(status) || (status >= 520 && status <= 530);
}

/** A wait before a request is sent again. */
export interface Wait {
  readonly milliseconds: number;
  /** What went wrong. */
  readonly reason: ProblemError | ConnectionError;
}

/** The tries of one request. */
export class Retries {
  /** Most tries. */
  private readonly tries: number;
  private failures = 0;
  /** When a release was first found to be on its way, milliseconds. */
  private waitingSince: number | undefined;
  /** Milliseconds of the waits for it. */
  private waited = 0;

  constructor(tries: number) {
    this.tries = tries;
  }

  /** Returns the milliseconds to wait before the request is sent again; null when it is not. */
  after(error: unknown): number | null {
    const asked = error instanceof ProblemError ? error.retryAfter : null;
    if (error instanceof ProblemError && error.code === 'release_not_here_yet') {
      return this.untilReleaseArrives(asked ?? 0);
    }
    const passes =
      error instanceof ConnectionError ||
      (error instanceof ProblemError && isPassing(error.status));
    if (!passes || ++this.failures >= this.tries) return null;
    const backoff = FIRST_WAIT * 2 ** (this.failures - 1);
    const wait = asked === null ? backoff : Math.max(asked, FIRST_WAIT);
    return wait > MAX_WAIT ? null : spread(wait);
  }

  /**
   * Returns the wait for a release that is on its way; null when it took too long. Such waits are no
   * failures: data centres see a release up to a minute and a half after each other.
   */
  untilReleaseArrives(asked = 0): number | null {
    const wait = Math.max(asked, RELEASE_WAIT);
    const now = performance.now();
    this.waitingSince ??= now;
    this.waited += wait;
    // Time that requests take counts too. The second figure ends the loop of a test whose `sleep` takes no time.
    const passed = Math.max(now - this.waitingSince + wait, this.waited);
    return passed > PATIENCE ? null : spread(wait);
  }
}

function spread(wait: number): number {
  return wait * (1 + Math.random() * SPREAD);
}

/** Waits so many milliseconds. @throws the signal's reason when it is aborted meanwhile */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
