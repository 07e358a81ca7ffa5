/** The two operations: list stores, and one store. */
import type { Caller } from '../auth/grant.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { ProblemError } from '../problem.ts';
import { findRentalPoint, findStore, queryStores } from '../query/directory.ts';
import type { GetQuery, ListQuery } from '../query/queries.ts';
import { renderList, renderStore } from '../render/answer.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { admitCaller } from './admission.ts';
import { entityTag, matchesNoneOf } from './entity-tag.ts';
import type { Exchange, Reply } from './exchange.ts';
import { type Isolate, isolateOf } from './isolate.ts';
import { logFault } from './log.ts';
import { understandGet, understandList } from './query/understand.ts';

/** Answers from one release; called anew with the one before when it cannot be read from. */
type Answer = (release: LoadedRelease) => Promise<Reply>;

/** `GET /v2/external/stores`. */
export async function listStores(exchange: Exchange): Promise<Reply> {
  const isolate = isolateOf(exchange.env);
  const caller = await admitCaller(exchange, isolate);
  const { query, canonical } = understandList(exchange.query);
  exchange.canonicalQuery = canonical;
  exchange.stopwatch.lap('query');
  return answerFromRelease(exchange, isolate, (release) => list(exchange, release, query, caller));
}

/** `GET /v2/external/stores/{id}`. @param idOrSlug decoded */
export async function getStore(exchange: Exchange, idOrSlug: string): Promise<Reply> {
  const isolate = isolateOf(exchange.env);
  const caller = await admitCaller(exchange, isolate);
  const { query, canonical } = understandGet(exchange.query);
  exchange.canonicalQuery = canonical;
  exchange.stopwatch.lap('query');
  return answerFromRelease(exchange, isolate, (release) =>
    get(exchange, release, idOrSlug, query, caller),
  );
}

async function list(
  exchange: Exchange,
  release: LoadedRelease,
  query: ListQuery,
  caller: Caller,
): Promise<Reply> {
  const headers = storeHeaders(release, `${exchange.canonicalQuery}`, caller);
  if (isCurrent(exchange, headers.etag)) return notModified(headers);
  const matches = await queryStores(release, query);
  exchange.stopwatch.lap('query');
  const body = await renderList(release, matches, query, caller.utm);
  exchange.stopwatch.lap('render');
  return { status: 200, body, headers };
}

async function get(
  exchange: Exchange,
  release: LoadedRelease,
  idOrSlug: string,
  query: GetQuery,
  caller: Caller,
): Promise<Reply> {
  const store = await findStore(release, idOrSlug);
  if (store === null) {
    throw new ProblemError('store_unknown', 'No store has this id or slug.');
  }
  const location = await queriedLocation(release, store, query);
  exchange.stopwatch.lap('query');
  // The number of the store, so that its id in any case and its slug give one tag for one body.
  const headers = storeHeaders(release, `store=${store}&${exchange.canonicalQuery}`, caller);
  if (isCurrent(exchange, headers.etag)) return notModified(headers);
  const body = await renderStore(release, store, location, query, caller.utm);
  exchange.stopwatch.lap('render');
  return { status: 200, body, headers };
}

async function queriedLocation(
  release: LoadedRelease,
  store: number,
  { rentalPointSlug }: GetQuery,
): Promise<number> {
  if (rentalPointSlug === null) return 0;
  const location = await findRentalPoint(release, store, rentalPointSlug);
  if (location !== null) return location;
  throw new ProblemError('rental_point_unknown', 'The store has no rental point of this slug.');
}

/**
 * Runs `answer` on the current release. When part of that cannot be read (it has not reached this
 * location yet, or is damaged) the release before answers, if the isolate still has it.
 */
async function answerFromRelease(
  exchange: Exchange,
  { releases }: Isolate,
  answer: Answer,
): Promise<Reply> {
  const current = releases.current(exchange);
  const release = current instanceof Promise ? await current : current;
  exchange.release = release.id;
  exchange.stopwatch.lap('load');
  try {
    return await answer(release);
  } catch (error) {
    const problem = asReadProblem(error);
    const before = problem && releases.retreat(release);
    if (!before) throw problem ?? error;
    logFault('release_retreat', problem, exchange.requestId);
    exchange.release = before.id;
    return answer(before);
  }
}

/** `error` as storage_unreachable, if the release could not be read; else null. */
function asReadProblem(error: unknown): ProblemError | null {
  if (error instanceof SnapshotFormatError) {
    const detail = 'Part of the store data is damaged.';
    return new ProblemError('storage_unreachable', detail, { cause: error });
  }
  const isRead = error instanceof ProblemError && error.code === 'storage_unreachable';
  return isRead ? error : null;
}

/**
 * Headers of a 200 and of the 304 that stands for it.
 *
 * `no-cache` lets callers keep an answer but not use it unasked: the question costs a 304 made
 * without rendering, and a withdrawn release or a revoked token takes effect at once. `private`
 * keeps it out of shared caches, which know nothing of tokens.
 */
function storeHeaders(release: LoadedRelease, query: string, { utmKey }: Caller) {
  return {
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    vary: 'x-access-token, x-api-key',
    etag: entityTag(release.id, query, utmKey),
    'last-modified': release.lastModified,
  };
}

/**
 * Whether the caller has this answer already. `If-Modified-Since` is not looked at: a date has no
 * idea of attribution, and of two releases within a second it sees one.
 */
function isCurrent(exchange: Exchange, etag: string): boolean {
  const condition = exchange.requestHeaders.get('if-none-match');
  return condition !== null && matchesNoneOf(condition, etag);
}

function notModified({ 'content-type': _, ...headers }: ReturnType<typeof storeHeaders>): Reply {
  return { status: 304, body: null, headers };
}
