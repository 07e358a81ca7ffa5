/** When a request that failed is worth another try, and after how long. */
import { ConnectionError, ProblemError } from './errors.ts';

/** Longest wait before a try, milliseconds. When the service asks for more, the error is thrown. */
const LONGEST_WAIT = 120_000;

/** Milliseconds in all that a request waits for a release to arrive where it is asked for. */
const PATIENCE = 300_000;

/** Milliseconds between looks for a release that is on its way, where no answer says how long. */
const RELEASE_WAIT = 5000;

/** Milliseconds before the second try; twice that before the third, and so on. */
const FIRST_WAIT = 500;
/** What several clients wait differs by up to this share, so that they do not come back as one. */
const SPREAD = 0.1;

/** Statuses that pass: too many requests, and a service or a proxy that cannot answer just now. */
const PASSING = new Set([429, 502, 503, 504]);

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
  private waited = 0;

  constructor(tries: number) {
    this.tries = tries;
  }

  /** Milliseconds to wait before the request is sent again; null when it is not. */
  after(error: unknown): number | null {
    if (error instanceof ProblemError && error.code === 'release_not_here_yet') {
      return this.untilReleaseArrives(error.retryAfter ?? RELEASE_WAIT);
    }
    const asked = error instanceof ProblemError ? error.retryAfter : null;
    const passes =
      error instanceof ConnectionError ||
      (error instanceof ProblemError && PASSING.has(error.status));
    if (!passes || ++this.failures >= this.tries) return null;
    const wait = asked ?? FIRST_WAIT * 2 ** (this.failures - 1);
    return wait > LONGEST_WAIT ? null : spread(wait);
  }

  /** Such waits are no failures: places see a release up to a minute and a half after each other. */
  untilReleaseArrives(wait = RELEASE_WAIT): number | null {
    this.waited += wait;
    return this.waited > PATIENCE ? null : spread(wait);
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
