/** Asks the service by the client, and keeps answers as they came. */
import type { Page } from '../../../../client/src/answers.ts';
import { StoreDirectory } from '../../../../client/src/directory.ts';
import type { FieldPath } from '../../../../client/src/fields.ts';
import type { GetQuery, ListQuery } from '../../../../client/src/query.ts';
import type { Answer, ExploreQuery, ListedStore } from '../model/found.ts';
import type { Job } from '../model/latest.ts';

/** Tries of one request before its fault is shown. */
const MAX_TRIES = 4;

/** Milliseconds after which a try is given up: by then the page says that there is no answer. */
const MAX_TRY = 9_000;

export type Service = ReturnType<typeof serviceAt>;

/** Takes a request with its answer. */
type Tell = (answer: Answer) => void;

/**
 * Makes the service.
 * @param baseUrl its origin
 * @param onAnswer called with the answer to the first request of a walk, or for one store, and with each failure
 * of these
 */
export function serviceAt(baseUrl: string, token: string, onAnswer: Tell) {
  /** Makes a client for one call. @param tell called with the answer to each of its requests */
  const open = (id: string | null, query: object, { signal, onWait }: Partial<Job>, tell: Tell) =>
    new StoreDirectory({
      baseUrl,
      token,
      tries: MAX_TRIES,
      keep: 0,
      timeout: MAX_TRY,
      onWait,
      fetch: async (url, init) => {
        const started = performance.now();
        const told = (status: number, text: string) => {
          const time = performance.now() - started;
          if (!signal?.aborted) tell({ call: { baseUrl, id, query }, url, status, text, time });
        };
        try {
          const response = await fetch(url, {
            ...init,
            credentials: 'omit',
            cache: 'no-store',
            referrerPolicy: 'no-referrer',
          });
          const text = await response.text();
          told(response.status, text);
          return new Response(text, response);
        } catch (error) {
          told(0, String(error));
          throw error;
        }
      },
    });

  return {
    /** Returns one page of a list. @throws what `StoreDirectory.list` throws */
    async list(
      query: ListQuery<readonly FieldPath[]>,
      job: Partial<Job> = {},
      tell: Tell = () => {},
    ) {
      return (await open(null, query, job, tell).list(query, job)) as Page<ListedStore>;
    },

    /** Yields one page after another, as the links lead. @throws what `StoreDirectory.pages` throws */
    async *pages(query: ExploreQuery, job: Job) {
      let isTold = false;
      const tell: Tell = (answer) => {
        if (!isTold || answer.status !== 200) onAnswer(answer);
        isTold ||= answer.status === 200;
      };
      const pages = open(null, query, job, tell).pages(query, job);
      for await (const page of pages) yield page as Page<ListedStore>;
    },

    /** Returns one store. @throws what `StoreDirectory.get` throws */
    get: (id: string, query: GetQuery<undefined>, job: Job) =>
      open(id, query, job, onAnswer).get(id, query, job),
  };
}
