/** `GET /v2/external/stores` and `GET /v2/external/stores/{id}`: a list of stores, and one store. */
import type { Caller } from '../auth/grant.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { ProblemError } from '../problem.ts';
import type { ByName } from '../query/conditions/condition.ts';
import {
  fingerprintOf,
  getStore,
  listStores,
  partsForStore,
  type StorePage,
} from '../query/directory.ts';
import { partsForList } from '../query/match-stores.ts';
import type { GetQuery, ListQuery, ParsedQuery } from '../query/queries.ts';
import { renderList, renderStore } from '../render/render-stores.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import type { Part } from '../snapshot/part.ts';
import { entityTag } from './entity-tag.ts';
import { type AppContext, type Exchange, exchangeOf } from './exchange.ts';
import { isolateOf } from './isolate.ts';
import { logFault } from './log-lines.ts';
import { pageLink } from './next-link.ts';
import { LIST_PARAMETERS } from './query/list-parameters.ts';
import type { Reply } from './reply.ts';
import { isCurrent, notModified, storeHeaders, storeReply } from './store-headers.ts';

/** Answers from a release. When that cannot be read, it is called again with another one. */
type Answer = (release: LoadedRelease) => Promise<Reply>;

/** `GET /v2/external/stores`. */
export function answerList(
  exchange: Exchange,
  asked: ParsedQuery<ListQuery>,
  caller: Caller,
): Promise<Reply> {
  noteQuery(exchange, asked);
  return answerFromRelease(exchange, (release) => list(exchange, release, asked, caller));
}

/** What a fresh isolate reads for the answer. @throws ProblemError invalid_parameters */
export function partsOfList(context: AppContext): Part[] {
  return partsForList(LIST_PARAMETERS.parse(exchangeOf(context).query).query);
}

/** `GET /v2/external/stores/{id}`. @param idOrSlug decoded */
export function answerStore(
  exchange: Exchange,
  idOrSlug: string,
  asked: ParsedQuery<GetQuery>,
  caller: Caller,
): Promise<Reply> {
  noteQuery(exchange, asked);
  return answerFromRelease(exchange, (release) => get(exchange, release, idOrSlug, asked, caller));
}

/** What a fresh isolate reads for the answer. */
export function partsOfStore(context: AppContext): Part[] {
  return partsForStore(context.req.param('id') ?? '');
}

function noteQuery(exchange: Exchange, { canonical, logged }: ParsedQuery<unknown>): void {
  exchange.canonicalQuery = logged ?? canonical;
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
  const told: ByName = Object.assign({}, ...query.conditions.map(({ headers }) => headers));
  if (isCurrent(exchange, tag)) return notModified(base, tag, told);
  const { stopwatch } = exchange;
  const show = (page: StorePage) => {
    stopwatch.lap('load');
    const body = renderList(page, query, caller.utm);
    const link = pageLink(exchange.path, exchange.query, page.next, query);
    stopwatch.lap('render');
    return storeReply(body, base, tag, { ...link, ...told, ...page.headers });
  };
  return listStores(release, query, exchange, show, () => stopwatch.lap('query'));
}

async function get(
  exchange: Exchange,
  release: LoadedRelease,
  idOrSlug: string,
  { query, canonical }: ParsedQuery<GetQuery>,
  caller: Caller,
): Promise<Reply> {
  return getStore(release, idOrSlug, query, exchange, (store) => {
    exchange.stopwatch.lap('query');
    // What the store's answers are made of: the tag stays the same until the store changes.
    const tag = entityTag(fingerprintOf(store), canonical, caller.utmKey);
    const base = storeHeaders(release.lastModified);
    if (isCurrent(exchange, tag)) return notModified(base, tag);
    const body = renderStore(store, store.location, query, caller.utm);
    exchange.stopwatch.lap('render');
    return storeReply(body, base, tag);
  });
}

/**
 * Runs `answer` on the current release; when part of that cannot be read, on the one that takes its
 * place (`ReleaseHolder.insteadOf`).
 * @throws ProblemError storage_unreachable, and what `answer` throws
 */
async function answerFromRelease(exchange: Exchange, answer: Answer): Promise<Reply> {
  const { releases } = isolateOf(exchange.env);
  const current = releases.current(exchange);
  const release = current instanceof Promise ? await current : current;
  exchange.stopwatch.lap('load');
  try {
    return await answerFrom(exchange, release, answer);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'storage_unreachable') throw error;
    const cause = new Error(`release ${release.name} cannot be read from`, { cause: error });
    logFault('release_unreadable', cause, exchange.requestId);
    const other = await releases.insteadOf(release, error.cause, exchange);
    return answerFrom(exchange, other, answer);
  }
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
