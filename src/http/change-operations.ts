/** `GET /v2/external/changes`: which stores differ between two releases. */

import type { LoadedRelease } from '../load/loaded-release.ts';
import { MissingObjectError } from '../load/object-reader.ts';
import { ProblemError, READ_LIST_AGAIN } from '../problem.ts';
import type { ChangesPage, StoreChanges } from '../query/store-changes.ts';
import { parseReleaseName, releaseKey } from '../snapshot/keys.ts';
import type { PublishedManifest } from '../snapshot/manifest.ts';
import { entityTag } from './entity-tag.ts';
import type { Exchange } from './exchange.ts';
import { type Isolate, isolateOf } from './isolate.ts';
import { nextLink } from './next-link.ts';
import { CHANGES_QUERY } from './query/changes-query.ts';
import type { Reply } from './reply.ts';
import { storeHeaders, storeReply, unchangedReply } from './store-headers.ts';

/** A release that a query names. */
interface NamedRelease {
  readonly name: string;
  /** When it was published, as headers write it. */
  readonly lastModified: string;
  readonly manifest: PublishedManifest;
}

/** `GET /v2/external/changes`. */
export async function listChanges(exchange: Exchange): Promise<Reply> {
  const isolate = isolateOf(exchange.env);
  const { query, canonical } = exchange.understand(CHANGES_QUERY);
  const live = await isolate.releases.current(exchange);
  const [since, until] = await Promise.all([
    findRelease(query.since, live, isolate, exchange),
    findRelease(query.until ?? live.name, live, isolate, exchange),
  ]);
  exchange.stopwatch.lap('load');
  exchange.release = until.name;
  const contents = since.manifest.release + until.manifest.release;
  const tag = entityTag(contents, `${canonical} ${until.name}`, '');
  const base = storeHeaders(until.lastModified);
  const unchanged = unchangedReply(exchange, base, tag);
  if (unchanged) return unchanged;
  const changes = await changesBetween(since, until, live, exchange);
  exchange.stopwatch.lap('load');
  const page = changes.page(query);
  const { total } = changes;
  const body = JSON.stringify({ release: until.name, since: since.name, total, docs: page.docs });
  exchange.stopwatch.lap('render');
  return storeReply(body, base, tag, linkOf(page, until, exchange));
}

/**
 * The kept release of a name. Its number alone says nothing: the content has to be the one that went
 * live under it.
 * @throws ProblemError release_not_here_yet, release_gone, storage_unreachable
 */
async function findRelease(
  name: string,
  live: LoadedRelease,
  { keptReleases }: Isolate,
  exchange: Exchange,
): Promise<NamedRelease> {
  if (name === live.name) return live;
  if ((parseReleaseName(name)?.number ?? 0) > live.number) {
    const detail = `Release ${name} has not reached this data centre yet, which has ${live.name}.`;
    throw new ProblemError('release_not_here_yet', detail);
  }
  const kept = await keptReleases.find(releaseKey(name), exchange);
  if (!kept) throw gone(name);
  const lastModified = new Date(kept.publishedAt).toUTCString();
  return { name, lastModified, manifest: kept.manifest };
}

function gone(name: string): ProblemError {
  return new ProblemError('release_gone', `No release ${name} is kept. ${READ_LIST_AGAIN}`);
}

/** @throws ProblemError release_gone, storage_unreachable */
async function changesBetween(
  since: NamedRelease,
  until: NamedRelease,
  live: LoadedRelease,
  exchange: Exchange,
): Promise<StoreChanges> {
  try {
    const { changes } = isolateOf(exchange.env);
    return await changes.find(since.manifest, until.manifest, exchange);
  } catch (error) {
    const cause = error instanceof Error && error.cause;
    // Generations are deleted as a whole.
    if (cause instanceof MissingObjectError && cause.generation !== live.manifest.generation) {
      throw gone(since.name);
    }
    throw error;
  }
}

/** The next page is one of the same two releases, whatever goes live meanwhile. */
function linkOf(
  { docs, hasMore }: ChangesPage,
  until: NamedRelease,
  { path, query }: Exchange,
): { link?: string } {
  const last = docs.at(-1);
  if (!hasMore || !last) return {};
  return nextLink(path, query, { skip: null, until: until.name, after: last.id });
}
