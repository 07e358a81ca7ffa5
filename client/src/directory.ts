/** The service as a partner's program sees it. */
import type { Changes, Page } from './answers.ts';
import { Connection, type DirectoryOptions } from './connection.ts';
import type { StoreCopy, SyncOptions, SyncResult } from './copy.ts';
import type { CopiedStore, FieldPath, SelectedStore } from './fields.ts';
import type { GetQuery, ListQuery, WalkQuery } from './query.ts';
import { LIST_PATH, pageOf, pagesOf, readChanges } from './requests.ts';
import { encodeText, searchOf } from './search.ts';
import { Sync } from './sync.ts';

export interface CallOptions {
  /** Ends the call, a wait before a retry included. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lists, gets and copies stores.
 *
 * Every method throws `ProblemError` when the service refuses a request, and `ConnectionError` when
 * there is no answer, after as many tries as the options allow.
 */
export class StoreDirectory {
  private readonly connection: Connection;

  /** @throws TypeError when `baseUrl` is no http or https address, or `token` cannot be one */
  constructor(options: DirectoryOptions) {
    this.connection = new Connection(options);
  }

  /** Returns one page of stores. */
  async list<const Fields extends readonly FieldPath[] | undefined = undefined>(
    query: ListQuery<Fields> = {},
    { signal }: CallOptions = {},
  ): Promise<Page<SelectedStore<Fields>>> {
    return pageOf(this.connection, searchOf(query), { signal });
  }

  /**
   * Yields all stores that match, page by page. In the order of ids, a store that matches during the whole walk
   * comes exactly once, even when stores are published meanwhile.
   */
  async *pages<const Fields extends readonly FieldPath[] | undefined = undefined>(
    query: WalkQuery<Fields> = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<Page<SelectedStore<Fields>>, void, undefined> {
    yield* pagesOf(this.connection, searchOf(query), signal);
  }

  /** Yields all stores that match, one by one: as `pages`. */
  async *stores<const Fields extends readonly FieldPath[] | undefined = undefined>(
    query: WalkQuery<Fields> = {},
    options: CallOptions = {},
  ): AsyncGenerator<SelectedStore<Fields>, void, undefined> {
    for await (const { docs } of this.pages(query, options)) yield* docs;
  }

  /**
   * Returns one store.
   * @param idOrSlug an id in any case, or a slug
   * @throws ProblemError also of the codes `store_unknown` and `rental_point_unknown`
   */
  async get<const Fields extends readonly FieldPath[] | undefined = undefined>(
    idOrSlug: string,
    query: GetQuery<Fields> = {},
    { signal }: CallOptions = {},
  ): Promise<SelectedStore<Fields>> {
    const path = `${LIST_PATH}/${encodeText(idOrSlug)}`;
    const { body } = await this.connection.ask(path, searchOf(query), { signal });
    return body as SelectedStore<Fields>;
  }

  /**
   * Returns which stores differ between a release and the live one.
   * @param since name of a release, as pages and copies have it
   * @throws ProblemError also of the code `release_gone`: begin anew
   */
  async changes(since: string, { signal }: CallOptions = {}): Promise<Changes> {
    return readChanges(this.connection, signal, since);
  }

  /**
   * Brings a copy to the live release: all stores at the first time, what has changed since at every
   * other. When it returns, the copy equals the release that it names. When it ends with an error,
   * the next call goes on. Only one call at a time may work on a copy.
   */
  sync<const Fields extends readonly FieldPath[] | undefined = undefined>(
    copy: StoreCopy<CopiedStore<Fields>>,
    options: SyncOptions<Fields> = {},
  ): Promise<SyncResult> {
    const stores = copy as unknown as StoreCopy<{ readonly id: string }>;
    return new Sync(this.connection, stores, options).run();
  }
}
