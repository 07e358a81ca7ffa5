/** Asks the service by the client, or `snapshot view`, which answers alike, and keeps answers as they came. */
import type { Page } from '../../../client/src/answers.ts';
import { StoreDirectory } from '../../../client/src/directory.ts';
import type { FieldPath } from '../../../client/src/fields.ts';
import type { GetQuery, ListQuery } from '../../../client/src/query.ts';
import type { Wait } from '../../../client/src/retries.ts';
import type { Store } from '../../../src/model/store.ts';
import type { ListedStore } from './found-store.ts';
import type { Question } from './question.ts';

/** Tries of one request before its fault is shown. */
const MOST_TRIES = 4;

/** The client wants a token; `snapshot view` reads none. */
const NO_TOKEN = 'none';

/** An answer with what there is to tell about it. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Milliseconds from asking to having all of it. */
  readonly time: number;
  readonly bytes: number;
  /** Whether the request has one. */
  readonly token: boolean;
}

export interface ServiceOptions {
  /** What paths are below: empty for the service itself. */
  readonly base: string;
  /** Null where none is needed. */
  readonly token: string | null;
  /** Told of every wait before a request is sent again. */
  readonly onWait: (wait: Wait) => void;
}

export class Service {
  readonly base: string;
  private readonly token: string | null;
  private readonly onWait: (wait: Wait) => void;

  constructor({ base, token, onWait }: ServiceOptions) {
    this.base = base;
    this.token = token;
    this.onWait = onWait;
  }

  /** One page of a list. @throws what `StoreDirectory.list` throws */
  list(query: ListQuery<readonly FieldPath[]>, signal?: AbortSignal) {
    return this.ask((directory) => directory.list(query, { signal }) as Promise<Page<ListedStore>>);
  }

  /** One page after another, as the links lead. @throws what `StoreDirectory.pages` throws */
  async *pages(
    query: Question,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly page: Page<ListedStore>; readonly answer: Answer }> {
    const { directory, answer } = this.open();
    for await (const page of directory.pages(query, { signal })) {
      yield { page: page as Page<ListedStore>, answer: answer() };
    }
  }

  /** @throws what `StoreDirectory.get` throws */
  get(id: string, query: GetQuery<undefined>, signal: AbortSignal) {
    return this.ask((directory) => directory.get(id, query, { signal }) as Promise<Store>);
  }

  private async ask<T>(
    request: (directory: StoreDirectory) => Promise<T>,
  ): Promise<{ readonly read: T; readonly answer: Answer }> {
    const { directory, answer } = this.open();
    const read = await request(directory);
    return { read, answer: answer() };
  }

  /** A client for one call, and what its last request was answered. */
  private open(): { readonly directory: StoreDirectory; readonly answer: () => Answer } {
    // Without a page, as in a test, the base has an origin of its own.
    const { location } = globalThis as { location?: { readonly origin: string } };
    let answer: Answer | undefined;
    const directory = new StoreDirectory({
      baseUrl: new URL(this.base, location?.origin),
      token: this.token ?? NO_TOKEN,
      tries: MOST_TRIES,
      keep: 0,
      onWait: this.onWait,
      fetch: async (url, init) => {
        const started = performance.now();
        const response = await fetch(url, {
          ...init,
          credentials: 'omit',
          cache: 'no-store',
          referrerPolicy: 'no-referrer',
        });
        const bytes = await response.arrayBuffer();
        const time = performance.now() - started;
        const text = new TextDecoder().decode(bytes);
        const token = this.token !== null;
        answer = { url, status: response.status, text, time, bytes: bytes.byteLength, token };
        return new Response(bytes, response);
      },
    });
    return { directory, answer: () => answer as Answer };
  }
}
