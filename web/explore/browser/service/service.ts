/**
 * Asks the service by the client, and keeps answers as they came.
 * An answer that comes after its request was given up is dropped.
 */
import type { Page } from '../../../../client/src/answers.ts';
import { StoreDirectory } from '../../../../client/src/directory.ts';
import type { FieldPath } from '../../../../client/src/fields.ts';
import type { GetQuery, ListQuery } from '../../../../client/src/query.ts';
import type { Wait } from '../../../../client/src/retries.ts';
import type { Call } from '../model/client-code.ts';
import type { ListedStore } from '../model/found-store.ts';
import type { Question } from '../model/question.ts';

/** Tries of one request before its fault is shown. */
const MOST_TRIES = 4;

/** An answer with what there is to tell about it. */
export interface Answer {
  /** What a program calls for it. */
  readonly call: Call;
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Milliseconds from asking to having all of it. */
  readonly time: number;
  readonly bytes: number;
}

export type Service = ReturnType<typeof serviceAt>;

/**
 * @param baseUrl its origin
 * @param onWait told of every wait before a request is sent again
 */
export function serviceAt(baseUrl: string, token: string, onWait: (wait: Wait) => void) {
  /** A client for one call, and what its last request was answered. */
  function open(id: string | null, query: object) {
    let answer: Answer | undefined;
    const directory = new StoreDirectory({
      baseUrl,
      token,
      tries: MOST_TRIES,
      keep: 0,
      onWait,
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
        const { status } = response;
        const call = { baseUrl, id, query };
        answer = { call, url, status, text, time, bytes: bytes.byteLength };
        return new Response(bytes, response);
      },
    });
    return { directory, answer: () => answer as Answer };
  }

  return {
    /** One page of a list. @throws what `StoreDirectory.list` throws */
    async list(query: ListQuery<readonly FieldPath[]>, signal?: AbortSignal) {
      const { directory, answer } = open(null, query);
      const page = (await directory.list(query, { signal })) as Page<ListedStore>;
      signal?.throwIfAborted();
      return { page, answer: answer() };
    },

    /** One page after another, as the links lead. @throws what `StoreDirectory.pages` throws */
    async *pages(query: Question, signal: AbortSignal) {
      const { directory, answer } = open(null, query);
      for await (const page of directory.pages(query, { signal })) {
        signal.throwIfAborted();
        yield { page: page as Page<ListedStore>, answer: answer() };
      }
    },

    /** @throws what `StoreDirectory.get` throws */
    async get(id: string, query: GetQuery<undefined>, signal?: AbortSignal) {
      const { directory, answer } = open(id, query);
      const store = await directory.get(id, query, { signal });
      signal?.throwIfAborted();
      return { store, answer: answer() };
    },
  };
}
