/** Asks the service, or `snapshot view`, which answers alike. */
import { sleep } from '../../../client/src/retries.ts';

/** Milliseconds between tries where the service does not say how long to wait. */
const FIRST_PAUSE = 1_000;

/** Tries of one request before its refusal is shown. */
const MOST_TRIES = 4;

const BYTES_OF_TOKEN = /^[\x21-\x7e]+$/;

/** An answer with what there is to tell about it. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Milliseconds from asking to having all of it. */
  readonly time: number;
  readonly bytes: number;
  readonly release: string | null;
}

/** The service refused. `title` and `detail` are its own words. */
export class RefusedError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'RefusedError';
    this.status = status;
    this.code = code;
  }
}

export interface ServiceOptions {
  /** What paths are below: empty for the service itself. */
  readonly base: string;
  /** Null where none is needed. It is kept here, in memory, and nowhere else. */
  readonly token: string | null;
  /** Told of waiting, in seconds, because the service asked for it. */
  readonly onWait: (seconds: number) => void;
}

export class Service {
  readonly base: string;
  private readonly token: string | null;
  private readonly onWait: (seconds: number) => void;

  constructor({ base, token, onWait }: ServiceOptions) {
    this.base = base;
    this.token = token;
    this.onWait = onWait;
  }

  get needsToken(): boolean {
    return this.token !== null;
  }

  /**
   * The good answer to a request; waits and asks again when the service says so.
   * @throws RefusedError, what `fetch` throws, and the reason of `signal`
   */
  async get(path: string, signal: AbortSignal): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const started = performance.now();
      const response = await fetch(this.base + path, {
        headers: this.token === null ? {} : { 'x-access-token': this.token },
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal,
      });
      const bytes = await response.arrayBuffer();
      const text = new TextDecoder().decode(bytes);
      if (response.ok) {
        return {
          url: response.url,
          status: response.status,
          text,
          time: performance.now() - started,
          bytes: bytes.byteLength,
          release: response.headers.get('x-snapshot-release'),
        };
      }
      const isPassing = response.status === 429 || response.status === 503;
      if (!isPassing || tries === MOST_TRIES) throw refusal(response, text);
      const pause = pauseOf(response, tries);
      this.onWait(Math.ceil(pause / 1000));
      await sleep(pause, signal);
    }
  }
}

/** Whether a text can be sent as a token at all. */
export function looksLikeToken(text: string): boolean {
  return BYTES_OF_TOKEN.test(text);
}

function refusal({ status }: Response, text: string): RefusedError {
  try {
    const { code, title, detail, errors = [] } = JSON.parse(text);
    const faults = errors.map((fault: { detail: string }) => fault.detail);
    return new RefusedError(status, code, `${title}: ${[detail, ...faults].join(' ')}`);
  } catch {
    return new RefusedError(status, 'unknown', `The service answered ${status}.`);
  }
}

/** Milliseconds to wait: what the service asks for, else longer each time. */
function pauseOf(response: Response, tries: number): number {
  const seconds = Number(response.headers.get('retry-after'));
  return seconds > 0 ? seconds * 1000 : FIRST_PAUSE * 2 ** (tries - 1);
}
