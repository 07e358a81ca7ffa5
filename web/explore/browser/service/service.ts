/** Asks the service by the client, and keeps answers as they came. */
import type { Page } from '../../../../client/src/answers.ts';
import { StoreDirectory } from '../../../../client/src/directory.ts';
import type { FieldPath } from '../../../../client/src/fields.ts';
import type { GetQuery, ListQuery } from '../../../../client/src/query.ts';
import type { Wait } from '../../../../client/src/retries.ts';
import type { Answer, ListedStore, Question } from '../model/found.ts';

/** Tries of one request before its fault is shown. */
const MAX_TRIES = 4;

/** Milliseconds after which a try is given up: by then the page says that there is no answer. */
const MAX_TRY = 9_000;

export type Service = ReturnType<typeof serviceAt>;

/**
 * Makes the service.
 * @param baseUrl its origin
 * @param onWait called with every wait of a walk from page to page, and with those for the store of an id
 * @param onFailed called when the request for a page or a store is refused, or not answered
 */
export function serviceAt(
  baseUrl: string,
  token: string,
  onWait: (wait: Wait, id: string | null) => void,
  onFailed: (answer: Answer) => void,
) {
  /**
   * Makes a client for one call, and keeps the answer to its last request.
   * @param isTold whether the page shows its failures: it serves without the answers of other calls
   */
  function open(
    id: string | null,
    query: object,
    signal: AbortSignal | undefined,
    isTold: boolean,
  ) {
    let answer: Answer | undefined;
    const directory = new StoreDirectory({
      baseUrl,
      token,
      tries: MAX_TRIES,
      keep: 0,
      timeout: MAX_TRY,
      onWait: isTold ? (wait) => onWait(wait, id) : undefined,
      fetch: async (url, init) => {
        const started = performance.now();
        const call = { baseUrl, id, query };
        const told = (status: number, text: string, bytes: number) => {
          answer = { call, url, status, text, time: performance.now() - started, bytes };
          if (isTold && status !== 200 && !signal?.aborted) onFailed(answer);
        };
        try {
          const response = await fetch(url, {
            ...init,
            credentials: 'omit',
            cache: 'no-store',
            referrerPolicy: 'no-referrer',
          });
          const bytes = await response.arrayBuffer();
          told(response.status, new TextDecoder().decode(bytes), bytes.byteLength);
          return new Response(bytes, response);
        } catch (error) {
          told(0, String(error), 0);
          throw error;
        }
      },
    });
    return { directory, answer: () => answer as Answer };
  }

  return {
    /** Returns one page of a list. @throws what `StoreDirectory.list` throws */
    async list(query: ListQuery<readonly FieldPath[]>, signal?: AbortSignal) {
      const { directory, answer } = open(null, query, signal, false);
      const page = (await directory.list(query, { signal })) as Page<ListedStore>;
      return { page, answer: answer() };
    },

    /** Yields one page after another, as the links lead. @throws what `StoreDirectory.pages` throws */
    async *pages(query: Question, signal: AbortSignal) {
      const { directory, answer } = open(null, query, signal, true);
      for await (const page of directory.pages(query, { signal })) {
        yield { page: page as Page<ListedStore>, answer: answer() };
      }
    },

    /** Returns one store. @throws what `StoreDirectory.get` throws */
    async get(id: string, query: GetQuery<undefined>, signal?: AbortSignal) {
      const { directory, answer } = open(id, query, signal, true);
      const store = await directory.get(id, query, { signal });
      return { store, answer: answer() };
    },
  };
}
