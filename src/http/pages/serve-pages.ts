/**
 * Serves what `web/` built: pages, the files that they load, and the OpenAPI document. They lie in the
 * static assets of the Worker; where it has none (the benchmark's), there are none of them.
 */
import { ProblemError } from '../../problem.ts';
import type { Exchange } from '../exchange.ts';
import { DOCS_PATH, SEARCH_PREFIX } from '../paths.ts';
import { problemReply } from '../problem-response.ts';
import type { Reply } from '../reply.ts';
import { pageHeaders } from './policy.ts';

/** A page is asked for anew each time, mostly to be told that it has not changed. */
const PAGE_CACHING = 'public, max-age=0, must-revalidate';

/** What is in a file whose name holds its hash never changes. */
const FILE_CACHING = 'public, max-age=31536000, immutable';

const DOCUMENT_CACHING = 'public, max-age=300';

/** Headers that the platform gives to static assets and that stay. */
const KEPT_HEADERS = ['content-type', 'etag'] as const;

/** The page for people where the documentation has none: at a path that is not served. */
const NOT_FOUND_ASSET = `${DOCS_PATH}/404.html`;

/** The page at a path, or what the search of the documentation loads. @throws ProblemError route_unknown */
export function servePage(exchange: Exchange): Reply | Promise<Reply> {
  const { path } = exchange;
  let end = path.length;
  while (path[end - 1] === '/') end--;
  if (end < path.length) return redirectTo(path.slice(0, end));
  // The worker of the search goes by the policy of its own file.
  const headers = { ...pageHeaders(path), 'cache-control': PAGE_CACHING };
  return serveAsset(
    path.startsWith(SEARCH_PREFIX) ? path : `${path}/index.html`,
    headers,
    exchange,
  );
}

/**
 * The answer to a request that ended in `error`: the problem; but people who ask for a page of the
 * documentation that is not there get a page that says so.
 */
export async function refuse(error: unknown, exchange: Exchange): Promise<Reply> {
  const { path, requestHeaders } = exchange;
  const reply = problemReply(error, exchange);
  if (reply.problem !== 'route_unknown' || !path.startsWith(`${DOCS_PATH}/`)) return reply;
  const problem = { ...reply, headers: { ...reply.headers, vary: 'Accept' } };
  const wantsPage = requestHeaders.get('accept')?.includes('text/html');
  const page = wantsPage ? await askAssets(NOT_FOUND_ASSET, {}, exchange) : null;
  if (!page) return problem;
  const type = { 'content-type': 'text/html; charset=utf-8' };
  return {
    ...problem,
    body: new Uint8Array(await page.arrayBuffer()),
    headers: { ...problem.headers, ...pageHeaders(path), ...type },
  };
}

/** A file that pages load. @throws ProblemError route_unknown */
export function serveFile(exchange: Exchange): Promise<Reply> {
  return serveAsset(exchange.path, { 'cache-control': FILE_CACHING }, exchange);
}

/** `GET /openapi.json`, and the picture of all pages. @throws ProblemError route_unknown */
export function serveDocument(exchange: Exchange): Promise<Reply> {
  return serveAsset(exchange.path, { 'cache-control': DOCUMENT_CACHING }, exchange);
}

/** Leads on to another page, as `GET /` does people who only know the host. */
export function redirectTo(path: string): Reply {
  const headers = { location: path, 'cache-control': 'public, max-age=300' };
  return { status: 302, body: null, headers };
}

/** @throws ProblemError route_unknown */
async function serveAsset(
  path: string,
  headers: Readonly<Record<string, string>>,
  exchange: Exchange,
): Promise<Reply> {
  const condition = exchange.requestHeaders.get('if-none-match');
  const conditions = condition === null ? {} : { 'if-none-match': condition };
  const asset = await askAssets(path, conditions, exchange);
  if (!asset) throw new ProblemError('route_unknown', 'There is no such page.');
  const all: Record<string, string> = { ...headers };
  for (const name of KEPT_HEADERS) {
    const value = asset.headers.get(name);
    if (value !== null) all[name] = value;
  }
  // `Exchange.finish` states a length only for a body in memory, and HEAD needs the length.
  const isCounted = exchange.method === 'HEAD' && asset.status === 200;
  const body = isCounted ? new Uint8Array(await asset.arrayBuffer()) : asset.body;
  return { status: asset.status, body, headers: all };
}

/** The asset at a path, or that it has not changed; null where there is none. */
async function askAssets(
  path: string,
  headers: Readonly<Record<string, string>>,
  { env, context }: Exchange,
): Promise<Response | null> {
  // The types say that it is there; the benchmark serves the Worker without it.
  const asset = await env.ASSETS?.fetch(new URL(path, context.req.url), { headers });
  if (asset?.status === 200 || asset?.status === 304) return asset;
  await asset?.body?.cancel();
  return null;
}
