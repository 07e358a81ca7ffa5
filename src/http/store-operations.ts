/** `GET /v2/external/stores` and `GET /v2/external/stores/{id}`: a list of stores, and one store. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import { openingsAt } from '../query/conditions/open-at.ts';
import { locateStore, namesPart, partsForStore } from '../query/find-store.ts';
import { findStores, partsForList } from '../query/find-stores.ts';
import type { GetQuery, ListQuery, ParsedQuery } from '../query/queries.ts';
import { renderList, renderStore } from '../render/render-stores.ts';
import { HOURS_PART } from '../snapshot/hours-table.ts';
import { answerData, entityTag, hasAnswer } from './answer.ts';
import { isolateOf, liveRelease } from './isolate.ts';
import { pageLink } from './next-link.ts';
import { problemOf } from './problem-response.ts';
import { type AppContext, logFault } from './trace.ts';

/** Answers a list. Goes to another release if part of the live one cannot be read. */
export async function listStores(
  context: AppContext,
  parsed: ParsedQuery<ListQuery>,
): Promise<Response> {
  context.get('trace').understand(parsed);
  const release = await liveRelease(context);
  try {
    return await listFrom(release, context, parsed);
  } catch (error) {
    return listFrom(await releaseInsteadOf(release, error, context), context, parsed);
  }
}

async function listFrom(
  release: LoadedRelease,
  context: AppContext,
  { query, canonical }: ParsedQuery<ListQuery>,
): Promise<Response> {
  const trace = context.get('trace');
  const caller = context.get('caller');
  const { scratch, buffer } = isolateOf(context.env);
  const { lastModified } = release;
  const headers: Record<string, string> = {};
  for (const condition of query.conditions) Object.assign(headers, condition.headers);
  const etag = entityTag(release.id, canonical, caller.utmKey);
  if (hasAnswer(context.req.raw.headers, etag))
    return answerData(context, null, lastModified, etag, headers);
  await release.load(partsForList(query), trace);
  trace.lap('load');
  const found = findStores(release, query, scratch);
  trace.lap('query');
  using records = await release.records(found.stores, trace);
  trace.lap('load');
  const body = renderList(found, records, query, caller.utm, buffer);
  Object.assign(headers, found.headers, pageLink(trace, query, found, records));
  trace.lap('render');
  return answerData(context, body, lastModified, etag, headers);
}

/** Answers with one store. Goes to another release if part of the live one cannot be read. */
export async function getStore(
  context: AppContext,
  idOrSlug: string,
  parsed: ParsedQuery<GetQuery>,
): Promise<Response> {
  context.get('trace').understand(parsed);
  const release = await liveRelease(context);
  try {
    return await storeFrom(release, context, idOrSlug, parsed);
  } catch (error) {
    return storeFrom(await releaseInsteadOf(release, error, context), context, idOrSlug, parsed);
  }
}

async function storeFrom(
  release: LoadedRelease,
  context: AppContext,
  idOrSlug: string,
  { query, canonical }: ParsedQuery<GetQuery>,
): Promise<Response> {
  const trace = context.get('trace');
  const caller = context.get('caller');
  await release.load(partsForStore(idOrSlug, query.at), trace);
  const candidates = release.table(namesPart(idOrSlug)).candidates(idOrSlug);
  using records = await release.records(candidates, trace);
  const store = locateStore(idOrSlug, query.rentalPointSlug, records);
  trace.lap('load');
  const { at } = query;
  const ordinal = candidates[store.position] as number;
  // The tag names the content of the store, not the release: it stays until the store changes or, where
  // `opening` is shown, its clocks do.
  const clocks = at === null ? '' : release.table(HOURS_PART).zoneHash(ordinal);
  const etag = entityTag(store.fingerprint + clocks, canonical, caller.utmKey);
  const { lastModified } = release;
  if (hasAnswer(context.req.raw.headers, etag))
    return answerData(context, null, lastModified, etag);
  const added = at === null ? {} : { opening: openingsAt(release, at)(ordinal) };
  const body = renderStore(store, added, query, caller.utm, isolateOf(context.env).buffer);
  trace.lap('render');
  return answerData(context, body, lastModified, etag);
}

/**
 * Returns the release to answer from when part of `failed` could not be read
 * (`ReleaseHolder.insteadOf`).
 * @throws ProblemError of `thrown` when that is another problem
 */
async function releaseInsteadOf(
  failed: LoadedRelease,
  thrown: unknown,
  context: AppContext,
): Promise<LoadedRelease> {
  const error = problemOf(thrown);
  if (error.code !== 'storage_unreachable') throw error;
  const trace = context.get('trace');
  const cause = new Error(`release ${failed.name} cannot be read from`, { cause: error });
  logFault('release_unreadable', cause, trace.requestId);
  const other = await isolateOf(context.env).releases.insteadOf(failed, error.cause, trace);
  trace.release = other.name;
  return other;
}
