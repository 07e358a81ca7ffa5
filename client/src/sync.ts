/**
 * The loop that keeps a copy.
 *
 * Data centres see a release at different times, so two answers may come from different releases, in any
 * order. What holds at every step: each store of the copy, and each absence of a store,
 * comes from one of a few known releases, the bases. From every base we ask what differs from one
 * release that is at least as new as all of them, and fetch that. What did not differ from any base
 * is right already; what is fetched is of that release, or of a newer one, which is then a base of
 * the next round. When one base is left, the copy is of that release.
 *
 * To ask from the lowest base alone would not do: a store may be changed and changed back (or the
 * release rolled back) between the lowest base and the newest, and have been seen in between.
 *
 * Before anything is put, the bases and the release are saved, so that a program which ends anywhere
 * goes on from these. Stores of a page that was newer still do no harm then: each differs between a
 * base and the release, so that any later release differs from one of the two, and it is fetched anew.
 */
import type { Connection } from './connection.ts';
import type { CopyState, StoreCopy, SyncOptions, SyncResult } from './copy.ts';
import { ConnectionError, ProblemError } from './errors.ts';
import type { FieldPath } from './fields.ts';
import { pageOf, pagesOf, readChanges } from './requests.ts';
import { searchOf } from './search.ts';

/** The most ids that `id.in` takes, and stores that a page has. */
const PAGE_SIZE = 100;

/** Walks of one `sync`: a second one where what the first began with is no longer kept. */
const MAX_WALKS = 2;

type Copied = { readonly id: string };

/** One call of `StoreDirectory.sync`. */
export class Sync {
  private readonly connection: Connection;
  private readonly copy: StoreCopy<Copied>;
  private readonly signal: AbortSignal | undefined;
  /** Which stores, and what of them. */
  private readonly query: object;
  private readonly queryText: string;
  private walks = 0;
  private put = 0;
  private removed = 0;

  constructor(
    connection: Connection,
    copy: StoreCopy<Copied>,
    { signal, fields, lang, verticale }: SyncOptions<readonly FieldPath[] | undefined>,
  ) {
    this.connection = connection;
    this.copy = copy;
    this.signal = signal;
    this.query = { verticale, lang, fields: fields && [...new Set(['id', ...fields])] };
    this.queryText = `${connection.base}?${searchOf(this.query)}`;
  }

  async run(): Promise<SyncResult> {
    const state = await this.copy.load();
    let bases = state?.query === this.queryText ? basesOf(state) : [];
    for (;;) {
      try {
        // A copy that was just filled from one release alone is done.
        bases = bases.length > 0 ? await this.follow(bases) : await this.walk();
        while (bases.length > 1) bases = await this.follow(bases);
        const { put, removed } = this;
        return { release: bases[0] as string, walked: this.walks > 0, put, removed };
      } catch (error) {
        if (!isNoneHere(error) || this.walks >= MAX_WALKS) throw error;
        bases = [];
      }
    }
  }

  /** Fills the copy. @returns the releases that its stores come from */
  private async walk(): Promise<readonly string[]> {
    this.walks++;
    await this.save([]);
    const search = searchOf({ ...this.query, limit: PAGE_SIZE });
    const bases = new Set<string>();
    const met = new Set<string>();
    const pages = pagesOf<Copied>(this.connection, search, this.signal);
    for await (const { docs, release } of pages) {
      bases.add(release);
      for (const { id } of docs) met.add(keyOf(id));
      await this.putAll(docs);
    }
    const left: string[] = [];
    for await (const id of await this.copy.ids()) if (!met.has(keyOf(id))) left.push(id);
    await this.removeAll(left);
    await this.save([...bases]);
    return [...bases];
  }

  /** Brings the copy from its bases to one newer release. @returns the bases of the copy then */
  private async follow(bases: readonly string[]): Promise<readonly string[]> {
    const newest = bases.reduce((one, other) =>
      releaseNumber(one) > releaseNumber(other) ? one : other,
    );
    const { release, docs } = await this.atLeast(newest, () => this.changes(newest));
    if (bases.length === 1 && release === newest) return bases;
    const differing = new Map(docs.map(({ id, change }) => [keyOf(id), change]));
    for (const base of bases) {
      if (base === newest) continue;
      const changes = await this.changes(base, release);
      for (const { id, change } of changes.docs) differing.set(keyOf(id), change);
    }
    if (differing.size > 0) await this.save([...new Set([...bases, release])]);
    const next = await this.bringTo(release, differing);
    await this.save(next);
    return next;
  }

  private changes(since: string, until?: string) {
    return readChanges(this.connection, this.signal, since, until);
  }

  /**
   * Removes and fetches what differs from `release`.
   * @returns the releases that all stores are of then: `release`, and the releases of newer pages
   */
  private async bringTo(
    release: string,
    differing: ReadonlyMap<string, string>,
  ): Promise<readonly string[]> {
    const ids = [...differing.keys()];
    await this.removeAll(ids.filter((id) => differing.get(id) === 'removed'));
    const wanted = ids.filter((id) => differing.get(id) !== 'removed');
    const bases = new Set([release]);
    for (let index = 0; index < wanted.length; index += PAGE_SIZE) {
      const chunk = wanted.slice(index, index + PAGE_SIZE);
      const search = searchOf({ ...this.query, id: { in: chunk }, limit: PAGE_SIZE });
      const page = await this.atLeast(release, () =>
        pageOf<Copied>(this.connection, search, { signal: this.signal, keep: false }),
      );
      bases.add(page.release);
      await this.putAll(page.docs);
      // The others are gone since, or the filters no longer match them.
      const found = new Set(page.docs.map(({ id }) => keyOf(id)));
      await this.removeAll(chunk.filter((id) => !found.has(id)));
    }
    return [...bases];
  }

  /** Asks until the answer is of `release` or a newer one, which a data centre may see late. */
  private async atLeast<Answer extends { readonly release: string }>(
    release: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const retries = this.connection.retries();
    for (;;) {
      const answer = await ask();
      if (releaseNumber(answer.release) >= releaseNumber(release)) return answer;
      const milliseconds = retries.untilReleaseArrives();
      if (milliseconds === null) throw new ConnectionError(`Release ${release} does not arrive.`);
      const reason = new ConnectionError(`An answer is older than release ${release}.`);
      await this.connection.wait({ milliseconds, reason }, this.signal);
    }
  }

  private async putAll(stores: readonly Copied[]): Promise<void> {
    if (stores.length === 0) return;
    this.put += stores.length;
    await this.copy.put(stores);
  }

  private async removeAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.removed += ids.length;
    await this.copy.remove(ids);
  }

  /** Saves the state. @param bases one: the copy is of that release */
  private async save(bases: readonly string[]): Promise<void> {
    const [release = null, ...others] = bases;
    const state = others.length === 0 ? { release, mixed: [] } : { release: null, mixed: bases };
    await this.copy.save({ ...state, query: this.queryText });
  }
}

/** Returns the key of a store: the case of letters in its id means nothing. */
const keyOf = (id: string): string => id.toLowerCase();

/**
 * Returns the number of a release, which only grows: names are `<number>-<content id>`.
 * @throws TypeError when `name` is no name of a release
 */
function releaseNumber(name: string): number {
  const number = /^(\d{1,15})-./.exec(name)?.[1];
  if (number === undefined) throw new TypeError(`"${name.slice(0, 60)}" is no name of a release.`);
  return Number(number);
}

function basesOf({ release, mixed }: CopyState): readonly string[] {
  return release === null ? mixed : [release];
}

/**
 * Returns whether a release that was asked about is no longer kept, or does not arrive: a copy from another
 * address, or of a storage that has been set up anew, may have a higher number than there is here.
 */
function isNoneHere(error: unknown): boolean {
  const codes = ['release_gone', 'release_not_here_yet'];
  return error instanceof ProblemError && codes.includes(error.code);
}
