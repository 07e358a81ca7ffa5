/** `GET /v2/external/changes`: which stores differ between two releases. */

import type { LoadedRelease } from '../load/loaded-release.ts';
import { MissingObjectError } from '../load/object-reader.ts';
import { ProblemError, READ_LIST_AGAIN } from '../model/problem.ts';
import type { ChangesQuery, ParsedQuery } from '../query/queries.ts';
import type { StoreChanges } from '../query/store-changes.ts';
import { parseReleaseName, releaseKey } from '../snapshot/keys.ts';
import { answerData, entityTag, hasAnswer } from './answer.ts';
import { isolateOf, liveRelease } from './isolate.ts';
import { nextLink } from './next-link.ts';
import type { AppContext } from './trace.ts';

/** A release that a query names. */
type NamedRelease = Pick<LoadedRelease, 'name' | 'lastModified' | 'manifest'>;

/** Answers with a page of the stores that differ. */
export async function listChanges(
  context: AppContext,
  parsed: ParsedQuery<ChangesQuery>,
): Promise<Response> {
  const trace = context.get('trace');
  trace.understand(parsed);
  const { query, canonical } = parsed;
  const live = await liveRelease(context);
  // A refusal concerns a release that the query names, not the live one.
  trace.release = null;
  const [since, until] = await Promise.all([
    findRelease(query.since, live, context),
    findRelease(query.until ?? live.name, live, context),
  ]);
  trace.lap('load');
  trace.release = until.name;
  const contents = since.manifest.release + until.manifest.release;
  const etag = entityTag(contents, `${canonical} ${until.name}`, '');
  if (hasAnswer(context.req.raw.headers, etag))
    return answerData(context, null, until.lastModified, etag);
  const changes = await changesBetween(since, until, live, context);
  trace.lap('load');
  const { docs, hasMore } = changes.page(query);
  const { total } = changes;
  const body = JSON.stringify({ release: until.name, since: since.name, total, docs });
  const last = docs.at(-1);
  // All pages compare the same two releases.
  const next = { skip: null, until: until.name, after: last?.id ?? null };
  trace.lap('render');
  const headers = hasMore && last ? nextLink(trace, next) : {};
  return answerData(context, body, until.lastModified, etag, headers);
}

/**
 * Returns the kept release with this name. The number alone says nothing: the content must be the
 * one that went live under it.
 * @throws ProblemError release_not_here_yet, release_gone, storage_unreachable
 */
async function findRelease(
  name: string,
  live: LoadedRelease,
  context: AppContext,
): Promise<NamedRelease> {
  if (name === live.name) return live;
  if ((parseReleaseName(name)?.number ?? 0) > live.number) {
    const detail = `Release ${name} has not reached this data centre yet, which has ${live.name}.`;
    throw new ProblemError('release_not_here_yet', detail);
  }
  const { keptReleases } = isolateOf(context.env);
  const kept = await keptReleases.find(releaseKey(name), context.get('trace'));
  if (!kept) throw gone(name);
  const lastModified = new Date(kept.publishedAt).toUTCString();
  return { name, lastModified, manifest: kept.manifest };
}

function gone(name: string): ProblemError {
  return new ProblemError('release_gone', `No release ${name} is kept. ${READ_LIST_AGAIN}`);
}

/**
 * Returns what changed between two releases.
 * @throws ProblemError release_gone, storage_unreachable
 */
async function changesBetween(
  since: NamedRelease,
  until: NamedRelease,
  live: LoadedRelease,
  context: AppContext,
): Promise<StoreChanges> {
  try {
    const { changes } = isolateOf(context.env);
    return await changes.find(since.manifest, until.manifest, context.get('trace'));
  } catch (error) {
    const cause = error instanceof Error && error.cause;
    // An old generation is deleted as a whole.
    if (cause instanceof MissingObjectError && cause.generation !== live.manifest.generation) {
      throw gone(since.name);
    }
    throw error;
  }
}
