/** Requests to the service: token, time limit, retries, tags. */
import { BudgetCache } from '../../src/cache/budget-cache.ts';
import { ConnectionError, ProblemError, readProblem } from './errors.ts';
import { Retries, sleep, type Wait } from './retries.ts';

export interface DirectoryOptions {
  /** Address of the service, without `/v2`: `https://stores.example`. */
  readonly baseUrl: string | URL;
  readonly token: string;
  /** Another way to send requests; `fetch` of the runtime by default. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Another way to wait; it ends early when the signal is aborted. For tests with a clock of their own. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Called with every wait before it begins, for a log. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Most tries of one request that finds no service or fails by a 429, 502, 503, 504 or 520 to 530; 5 by default. */
  readonly tries?: number | undefined;
  /** Milliseconds that one try may take; 30,000 by default. */
  readonly timeout?: number | undefined;
  /**
   * Characters of answers to `list` and `get` that are kept with their tags, so that the service need
   * not send one again that has not changed; 5,000,000 by default, 0 for none.
   */
  readonly keep?: number | undefined;
}

export interface Answer {
  readonly body: unknown;
  /** The release that answered; null for an answer without data. */
  readonly release: string | null;
  /** The query of the next page; null after the last one. */
  readonly next: string | null;
  /** The headers that came with the body. */
  readonly headers: Headers;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer is kept with its tag; by default it is. */
  readonly keep?: boolean;
}

/** What a 200 sent. One with a tag is kept, so that an unchanged answer is not sent again. */
interface SentAnswer {
  /** As it was sent: who asks gets an object of their own. */
  readonly body: string;
  /** Some of them a 304 does not send again. */
  readonly headers: Headers;
}

export class Connection {
  /** Address of the service, without a slash at its end. Copies of two environments differ by it. */
  readonly base: string;
  /** Private at run time too: objects get logged. */
  readonly #token: string;
  private readonly fetch: NonNullable<DirectoryOptions['fetch']>;
  private readonly sleep: typeof sleep;
  private readonly onWait: (wait: Wait) => void;
  private readonly tries: number;
  private readonly timeout: number;
  /** By URL; sizes are characters. */
  private readonly kept: BudgetCache<SentAnswer>;

  /** @throws TypeError when `baseUrl` is no http or https address, or `token` cannot be one */
  constructor(options: DirectoryOptions) {
    this.base = readBase(options.baseUrl);
    this.#token = readToken(options.token);
    // Browsers want `fetch` called as a function of the window.
    this.fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.sleep = options.sleep ?? sleep;
    this.onWait = options.onWait ?? (() => {});
    this.tries = options.tries ?? 5;
    this.timeout = options.timeout ?? 30_000;
    this.kept = new BudgetCache(options.keep ?? 5_000_000, ({ body }) => body.length);
  }

  /** Starts to count the tries of a piece of work. */
  retries(): Retries {
    return new Retries(this.tries);
  }

  /** Waits. @throws the signal's reason when it is aborted meanwhile */
  wait(wait: Wait, signal: AbortSignal | undefined): Promise<void> {
    this.onWait(wait);
    return this.sleep(wait.milliseconds, signal);
  }

  /**
   * Returns the answer to a GET.
   * @throws ProblemError, ConnectionError when the last try failed too; the signal's reason
   */
  async ask(path: string, search: string, options: AskOptions = {}): Promise<Answer> {
    const url = `${this.base}${path}${search && '?'}${search}`;
    const retries = this.retries();
    for (;;) {
      try {
        return await this.tryOnce(url, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        const milliseconds = retries.after(error);
        if (milliseconds === null) throw error;
        // Nothing else is worth another try.
        const reason = error as ProblemError | ConnectionError;
        await this.wait({ milliseconds, reason }, options.signal);
      }
    }
  }

  /** Sends a request once. @throws ProblemError, ConnectionError, the signal's reason */
  private async tryOnce(url: string, { signal, keep = true }: AskOptions): Promise<Answer> {
    signal?.throwIfAborted();
    const { timeout } = this;
    const ending = new AbortController();
    const late = new ConnectionError(`No answer within ${timeout} ms.`);
    const timer = setTimeout(() => ending.abort(late), timeout);
    const end = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await this.exchange(url, keep, ending.signal);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw ending.signal.aborted && !signal?.aborted ? late : unreachable(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  private async exchange(url: string, keep: boolean, signal: AbortSignal): Promise<Answer> {
    const known = keep ? this.kept.get(url) : undefined;
    const headers: Record<string, string> = { 'x-access-token': this.#token };
    const tag = known?.headers.get('etag');
    if (tag) headers['if-none-match'] = tag;
    // The service redirects nowhere, and the token must reach no other host.
    const response = await this.fetch(url, { headers, signal, redirect: 'manual' });
    if (known && response.status === 304) return readAnswer(response, url, known);
    if (response.status !== 200) throw await readProblem(response);
    const sent = { body: await response.text(), headers: response.headers };
    const answer = readAnswer(response, url, sent);
    if (keep && sent.headers.has('etag')) this.kept.set(url, sent);
    return answer;
  }
}

/** Reads an answer. @param sent by `response`, or before it where nothing has changed */
function readAnswer(response: Response, url: string, { body, headers }: SentAnswer): Answer {
  return {
    body: JSON.parse(body),
    release: response.headers.get('x-snapshot-release'),
    next: nextSearch(response.headers.get('link'), url),
    headers,
  };
}

/**
 * Returns the query of `Link: <…>; rel="next"`. Of its address nothing else counts: pages of one list have
 * one path, even if a proxy in between has changed it, and the token goes to no other host.
 */
function nextSearch(link: string | null, url: string): string | null {
  const target = link === null ? null : /<([^>]*)>\s*;[^,]*\brel="?next\b/i.exec(link)?.[1];
  return target == null ? null : new URL(target, url).search.slice(1);
}

function unreachable(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  // `fetch` itself says no more than that it failed; its cause says why.
  const reasons = error instanceof Error ? [error, error.cause] : [error];
  const words = reasons.map((each) => (each instanceof Error ? each.message : each));
  const reason = words.filter(Boolean).join(': ');
  return new ConnectionError(`No answer that can be read: ${reason}`, { cause: error });
}

function readBase(address: string | URL): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const url = URL.canParse(address, page) ? new URL(address, page) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('baseUrl is expected to be an http or https address.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Checks a token. @throws TypeError, which does not repeat the token */
function readToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new TypeError('The token is empty or has characters that no token has.');
}
