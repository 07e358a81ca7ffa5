/** `GET /v2/external/stores` and `GET /v2/external/stores/{id}`: a list of stores, and one store. */
import type { Caller } from '../auth/grant.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { ByName } from '../query/conditions/condition.ts';
import { fingerprintOf, getStore, listStores } from '../query/directory.ts';
import { renderList, renderStore } from '../render/render-stores.ts';
import { entityTag } from './entity-tag.ts';
import type { Exchange } from './exchange.ts';
import { isolateOf } from './isolate.ts';
import { logFault } from './log-lines.ts';
import { pageLink } from './next-link.ts';
import { problemOf } from './problem-response.ts';
import { LIST_QUERY } from './query/list-query.ts';
import { expectShort, readQuery } from './query/read-query.ts';
import { STORE_QUERY } from './query/store-query.ts';
import type { Reply } from './reply.ts';
import { storeHeaders, storeReply, unchangedReply } from './store-headers.ts';

/** Answers from a release. When that cannot be read, it is called again with another one. */
type Answer = (release: LoadedRelease) => Promise<Reply>;

/** `GET /v2/external/stores`. */
export async function answerList(exchange: Exchange, caller: Caller): Promise<Reply> {
  const { query, canonical } = exchange.understand(LIST_QUERY);
  const told: ByName = Object.assign({}, ...query.conditions.map(({ headers }) => headers));
  return answerFromRelease(exchange, async (release) => {
    const base = storeHeaders(release.lastModified);
    const tag = entityTag(release.id, canonical, caller.utmKey);
    const unchanged = unchangedReply(exchange, base, tag, told);
    if (unchanged) return unchanged;
    const { stopwatch } = exchange;
    const { scratch } = isolateOf(exchange.env);
    return listStores(release, query, exchange, scratch, (page) => {
      stopwatch.lap('load');
      const body = renderList(page, query, caller.utm);
      const link = pageLink(exchange.path, exchange.query, page.next, query);
      stopwatch.lap('render');
      return storeReply(body, base, tag, { ...link, ...told, ...page.headers });
    });
  });
}

/** `GET /v2/external/stores/{id}`. */
export async function answerStore(exchange: Exchange, caller: Caller): Promise<Reply> {
  const { query, canonical } = exchange.understand(STORE_QUERY);
  return answerFromRelease(exchange, async (release) =>
    getStore(release, idOrSlugOf(exchange), query, exchange, (store) => {
      exchange.stopwatch.lap('load');
      // What the store's answers are made of: the tag stays the same until the store changes.
      const tag = entityTag(fingerprintOf(store), canonical, caller.utmKey);
      const base = storeHeaders(release.lastModified);
      const unchanged = unchangedReply(exchange, base, tag);
      if (unchanged) return unchanged;
      const body = renderStore(store, query, caller.utm);
      exchange.stopwatch.lap('render');
      return storeReply(body, base, tag);
    }),
  );
}

/** Decoded. */
function idOrSlugOf({ context }: Exchange): string {
  return context.req.param('id') ?? '';
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
  exchange.release = release.name;
  try {
    return await answer(release);
  } catch (thrown) {
    const error = problemOf(thrown);
    if (error.code !== 'storage_unreachable') throw error;
    const cause = new Error(`release ${release.name} cannot be read from`, { cause: error });
    logFault('release_unreadable', cause, exchange.requestId);
    const other = await releases.insteadOf(release, error.cause, exchange);
    exchange.release = other.name;
    return answer(other);
  }
}
