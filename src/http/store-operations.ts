/** `GET /v2/external/stores` and `GET /v2/external/stores/{id}`: a list of stores, and one store. */
import type { Caller } from '../auth/grant.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { DeadlineError } from '../load/shared-loads.ts';
import type { StoredRecords } from '../load/stored-records.ts';
import { PROBLEMS, ProblemError } from '../problem.ts';
import {
  type FoundStore,
  findRentalPoint,
  findStore,
  fingerprintOf,
  heldStore,
  idOf,
  partsForStore,
} from '../query/directory.ts';
import { type Matches, partsForList, queryStores } from '../query/match-stores.ts';
import { type GetQuery, goesByAfter, type ListQuery, type ParsedQuery } from '../query/queries.ts';
import { renderList, renderStore } from '../render/answer.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { entityTag } from './entity-tag.ts';
import { type AppContext, type Exchange, exchangeOf } from './exchange.ts';
import { isolateOf } from './isolate.ts';
import { logFault } from './log.ts';
import { type LinkChanges, nextLink } from './next-link.ts';
import { LIST_PARAMETERS } from './query/list-parameters.ts';
import type { Reply } from './reply.ts';
import { isCurrent, notModified, storeHeaders, storeReply } from './store-headers.ts';

/** Answers from a release. When that cannot be read, it is called again with the one before. */
type Answer = (release: LoadedRelease) => Promise<Reply>;

/** `GET /v2/external/stores`. */
export function listStores(
  exchange: Exchange,
  asked: ParsedQuery<ListQuery>,
  caller: Caller,
): Promise<Reply> {
  noteQuery(exchange, asked);
  return answerFromRelease(exchange, (release) => list(exchange, release, asked, caller));
}

/** What a fresh isolate reads for the answer. @throws ProblemError invalid_parameters */
export function partsOfList(context: AppContext): string[] {
  return partsForList(LIST_PARAMETERS.parse(exchangeOf(context).query).query);
}

/** `GET /v2/external/stores/{id}`. @param idOrSlug decoded */
export function getStore(
  exchange: Exchange,
  idOrSlug: string,
  asked: ParsedQuery<GetQuery>,
  caller: Caller,
): Promise<Reply> {
  noteQuery(exchange, asked);
  return answerFromRelease(exchange, (release) => get(exchange, release, idOrSlug, asked, caller));
}

/** What a fresh isolate reads for the answer. */
export function partsOfStore(context: AppContext): string[] {
  return partsForStore(context.req.param('id') ?? '');
}

function noteQuery(exchange: Exchange, { canonical }: ParsedQuery<unknown>): void {
  exchange.canonicalQuery = canonical;
  exchange.stopwatch.lap('query');
}

async function list(
  exchange: Exchange,
  release: LoadedRelease,
  { query, canonical }: ParsedQuery<ListQuery>,
  caller: Caller,
): Promise<Reply> {
  const base = storeHeaders(release.lastModified);
  const tag = entityTag(release.id, canonical, caller.utmKey);
  if (isCurrent(exchange, tag)) return notModified(base, tag);
  const matches = await queryStores(release, query, exchange);
  exchange.stopwatch.lap('query');
  const answerFromRecords = (records: StoredRecords) => {
    exchange.stopwatch.lap('load');
    const body = renderList(records, matches, query, caller.utm);
    const link = linkOf(records, matches, query, exchange);
    exchange.stopwatch.lap('render');
    return storeReply(body, base, tag, link);
  };
  const held = release.heldRecords(matches.stores);
  if (held) return answerFromRecords(held);
  const read = await release.records(matches.stores, exchange);
  try {
    return answerFromRecords(read);
  } finally {
    read.end();
  }
}

/** In the order of ids pages go by `after`, which no publication disturbs; in others by `skip`. */
function linkOf(
  { chunks, indexes }: StoredRecords,
  { hasMore }: Matches,
  asked: ListQuery,
  { path, query }: Exchange,
): { link?: string } {
  const count = chunks.length;
  if (!hasMore || count === 0) return {};
  const last = { chunk: chunks[count - 1] as Chunk, index: indexes[count - 1] as number };
  const changes: LinkChanges = goesByAfter(asked)
    ? { skip: null, sort: null, after: idOf(last) }
    : { skip: asked.skip + count };
  return nextLink(path, query, changes);
}

async function get(
  exchange: Exchange,
  release: LoadedRelease,
  idOrSlug: string,
  asked: ParsedQuery<GetQuery>,
  caller: Caller,
): Promise<Reply> {
  const held = heldStore(release, idOrSlug);
  if (held) return answerGet(exchange, release, held, asked, caller);
  const store = await findStore(release, idOrSlug, exchange);
  if (store === null) {
    throw new ProblemError('store_unknown', PROBLEMS.store_unknown.help);
  }
  try {
    return answerGet(exchange, release, store, asked, caller);
  } finally {
    store.end();
  }
}

/** The store as the query wants to see it. Nothing waits here. */
function answerGet(
  exchange: Exchange,
  release: LoadedRelease,
  store: FoundStore,
  { query, canonical }: ParsedQuery<GetQuery>,
  caller: Caller,
): Reply {
  const location = queriedLocation(store, query);
  exchange.stopwatch.lap('query');
  // What the store's answers are made of: the tag stays the same until the store changes.
  const tag = entityTag(fingerprintOf(store), canonical, caller.utmKey);
  const base = storeHeaders(release.lastModified);
  if (isCurrent(exchange, tag)) return notModified(base, tag);
  const body = renderStore(store, location, query, caller.utm);
  exchange.stopwatch.lap('render');
  return storeReply(body, base, tag);
}

function queriedLocation(store: FoundStore, { rentalPointSlug }: GetQuery): number {
  if (rentalPointSlug === null) return 0;
  const location = findRentalPoint(store, rentalPointSlug);
  if (location !== null) return location;
  throw new ProblemError('rental_point_unknown', 'The store has no rental point of this slug.');
}

/**
 * Runs `answer` on the current release. When part of that cannot be read (it has not reached this
 * location yet, or is damaged) the release before answers, if there is one; else the pointer is
 * looked at once more.
 * @throws ProblemError storage_unreachable, and what `answer` throws
 */
async function answerFromRelease(exchange: Exchange, answer: Answer): Promise<Reply> {
  const { releases } = isolateOf(exchange.env);
  const current = releases.current(exchange);
  const release = current instanceof Promise ? await current : current;
  exchange.stopwatch.lap('load');
  let isLate = false;
  try {
    return await answerFrom(exchange, release, answer);
  } catch (error) {
    if (!isReadProblem(error)) throw error;
    isLate = error.cause instanceof DeadlineError;
    const cause = new Error(`release ${release.name} cannot be read from`, { cause: error });
    logFault('release_unreadable', cause, exchange.requestId);
  }
  const next = releases.retreat(release, isLate) ?? (await releases.renew(exchange));
  return answerFrom(exchange, next, answer);
}

async function answerFrom(
  exchange: Exchange,
  release: LoadedRelease,
  answer: Answer,
): Promise<Reply> {
  exchange.release = release.name;
  try {
    return await answer(release);
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
    const detail = 'Part of the store data is damaged.';
    throw new ProblemError('storage_unreachable', detail, { cause: error });
  }
}

function isReadProblem(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.code === 'storage_unreachable';
}
