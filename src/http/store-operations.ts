/** `GET /v2/external/stores` and `GET /v2/external/stores/{id}`: a list of stores, and one store. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import { fingerprintOf, locateStore, namesPart, partsForStore } from '../query/find-store.ts';
import { findStores, partsForList } from '../query/find-stores.ts';
import type { GetQuery, ListQuery, ParsedQuery } from '../query/queries.ts';
import { renderList, renderStore } from '../render/render-stores.ts';
import { answer } from './answer.ts';
import { entityTag, hasAnswer, storeHeaders } from './caching.ts';
import { isolateOf } from './isolate.ts';
import { liveRelease, releaseInsteadOf } from './live-release.ts';
import { pageLink } from './next-link.ts';
import type { AppContext } from './trace.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

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
  const { scratch, segments } = isolateOf(context.env);
  const told = Object.assign({}, ...query.conditions.map(({ headers }) => headers));
  const etag = entityTag(release.id, canonical, caller.utmKey);
  const headers = { ...storeHeaders(release.lastModified, etag), ...told };
  if (hasAnswer(context.req.raw.headers, etag)) return answer(context, 304, null, headers);
  await release.load(partsForList(query), trace);
  const matches = findStores(release, query, scratch);
  using records = await release.records(matches.stores, trace);
  trace.stopwatch.lap('load');
  const body = renderList(matches, records, query, caller.utm, segments);
  const link = pageLink(trace.path, trace.query, query, matches, records);
  trace.stopwatch.lap('render');
  return answer(context, 200, body, { ...JSON_TYPE, ...headers, ...link, ...matches.headers });
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
  await release.load(partsForStore(idOrSlug), trace);
  const candidates = release.table(namesPart(idOrSlug)).candidates(idOrSlug);
  using records = await release.records(candidates, trace);
  const store = locateStore(idOrSlug, query.rentalPointSlug, records);
  trace.stopwatch.lap('load');
  // The tag names the content of the store, not the release: it stays until the store changes.
  const etag = entityTag(fingerprintOf(store), canonical, caller.utmKey);
  const headers = storeHeaders(release.lastModified, etag);
  if (hasAnswer(context.req.raw.headers, etag)) return answer(context, 304, null, headers);
  const body = renderStore(store, query, caller.utm, isolateOf(context.env).segments);
  trace.stopwatch.lap('render');
  return answer(context, 200, body, { ...JSON_TYPE, ...headers });
}
