/**
 * Serves what `web/` built: pages, the files that they load, and the OpenAPI document. They lie in the
 * static assets of the Worker; where it has none (the benchmark's), there are none of them.
 */
import { ProblemError } from '../../problem.ts';
import { type AppContext, exchangeOf } from '../exchange.ts';
import {
  DOCS_FILE_PREFIX,
  DOCS_PATH,
  EXPLORE_PATH,
  GUIDES_PATH,
  guidePath,
  OPERATIONS_PATH,
  SEARCH_PREFIX,
} from '../paths.ts';
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
const NOT_FOUND_ASSET = '/404.html';

/** Paths that are no pages, or no longer, and that people try, with what they mean. */
const MOVED: Readonly<Record<string, string>> = {
  [GUIDES_PATH]: `${DOCS_PATH}#guides`,
  [OPERATIONS_PATH]: `${DOCS_PATH}#operations`,
  [`${DOCS_PATH}/console`]: `${DOCS_PATH}#operations`,
  [`${GUIDES_PATH}/near-a-place`]: guidePath('finding-stores'),
};

/** What lies at a path of the documentation. @throws ProblemError route_unknown */
export async function serveDocs(context: AppContext): Promise<Reply> {
  const { path } = exchangeOf(context);
  const found = await assetReply(docsAsset(path), docsHeaders(path), context);
  if (found) return found;
  const instead = await pageInstead(path, context);
  if (instead === null) throw noSuchPage();
  return redirectTo(instead);
}

/**
 * The answer to a request that ended in `error`: the problem; but people who ask for a page of the
 * documentation that is not there get a page that says so.
 */
export async function refuse(error: unknown, context: AppContext): Promise<Reply> {
  const { method, path } = context.req;
  const reply = problemReply(error, exchangeOf(context));
  const isRead = method === 'GET' || method === 'HEAD';
  if (reply.problem !== 'route_unknown' || !isBelowDocs(path) || !isRead) return reply;
  const problem = { ...reply, headers: { ...reply.headers, vary: 'Accept' } };
  const wantsPage = context.req.header('accept')?.includes('text/html');
  const page = wantsPage ? await askAssets(NOT_FOUND_ASSET, {}, context) : null;
  if (!page) return problem;
  const type = { 'content-type': 'text/html; charset=utf-8' };
  return {
    ...problem,
    body: new Uint8Array(await page.arrayBuffer()),
    headers: { ...problem.headers, ...pageHeaders(path), ...type },
  };
}

/** `GET /explore`. @throws ProblemError route_unknown */
export function serveExplore(context: AppContext): Promise<Reply> {
  const headers = { ...pageHeaders(EXPLORE_PATH), 'cache-control': PAGE_CACHING };
  return serveAsset(`${EXPLORE_PATH}.html`, headers, context);
}

/** A file that pages load. @throws ProblemError route_unknown */
export function serveFile(context: AppContext): Promise<Reply> {
  return serveAsset(exchangeOf(context).path, { 'cache-control': FILE_CACHING }, context);
}

/** `GET /openapi.json`, and the picture of all pages. @throws ProblemError route_unknown */
export function serveDocument(context: AppContext): Promise<Reply> {
  return serveAsset(exchangeOf(context).path, { 'cache-control': DOCUMENT_CACHING }, context);
}

/** Leads on to another page, as `GET /` does people who only know the host. */
export function redirectTo(path: string): Reply {
  const headers = { location: path, 'cache-control': 'public, max-age=300' };
  return { status: 302, body: null, headers };
}

/** The page that an unknown path leads to: its successor, or that of the path without slashes at its end. */
export async function pageInstead(path: string, context: AppContext): Promise<string | null> {
  const plain = withoutSlashesAtEnd(path);
  if (Object.hasOwn(MOVED, plain)) return MOVED[plain] as string;
  return plain !== path && (await isPage(plain, context)) ? plain : null;
}

/** Whether there is a page, or a file of the documentation, at a path. */
export async function isPage(path: string, context: AppContext): Promise<boolean> {
  if (path === EXPLORE_PATH) return true;
  const isDocs = path === DOCS_PATH || isBelowDocs(path);
  const asset = isDocs ? await askAssets(docsAsset(path), {}, context) : null;
  await asset?.body?.cancel();
  return asset !== null;
}

/** Whether a path is the documentation's to answer. */
export const isBelowDocs = (path: string): boolean => path.startsWith(`${DOCS_PATH}/`);

const isOfSearch = (path: string): boolean => path.startsWith(SEARCH_PREFIX);
const isHashed = (path: string): boolean => path.startsWith(DOCS_FILE_PREFIX);

const docsAsset = (path: string): string =>
  isHashed(path) || isOfSearch(path) ? path : `${path}.html`;

/** The worker of the search goes by the policy of its own file. */
function docsHeaders(path: string): Readonly<Record<string, string>> {
  if (isHashed(path)) return { 'cache-control': FILE_CACHING };
  return { ...pageHeaders(path), 'cache-control': PAGE_CACHING };
}

/**
 * By a loop: a regular expression takes time that grows with the square of a run of slashes, and such a
 * request needs no token.
 */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

const noSuchPage = (): ProblemError => new ProblemError('route_unknown', 'There is no such page.');

async function serveAsset(
  path: string,
  headers: Readonly<Record<string, string>>,
  context: AppContext,
): Promise<Reply> {
  const reply = await assetReply(path, headers, context);
  if (!reply) throw noSuchPage();
  return reply;
}

async function assetReply(
  path: string,
  headers: Readonly<Record<string, string>>,
  context: AppContext,
): Promise<Reply | null> {
  const { req } = context;
  const condition = req.header('if-none-match');
  const conditions = condition === undefined ? {} : { 'if-none-match': condition };
  const asset = await askAssets(path, conditions, context);
  if (!asset) return null;
  const all: Record<string, string> = { ...headers };
  for (const name of KEPT_HEADERS) {
    const value = asset.headers.get(name);
    if (value !== null) all[name] = value;
  }
  // `Exchange.finish` states a length only for a body in memory, and HEAD needs the length.
  const isCounted = req.method === 'HEAD' && asset.status === 200;
  const body = isCounted ? new Uint8Array(await asset.arrayBuffer()) : asset.body;
  return { status: asset.status, body, headers: all };
}

/** The asset at a path, or that it has not changed; null where there is none. */
async function askAssets(
  path: string,
  headers: Readonly<Record<string, string>>,
  { env, req }: AppContext,
): Promise<Response | null> {
  // The types say that it is there; the benchmark serves the Worker without it.
  const asset = await env.ASSETS?.fetch(new URL(path, req.url), { headers });
  if (asset?.status === 200 || asset?.status === 304) return asset;
  await asset?.body?.cancel();
  return null;
}
