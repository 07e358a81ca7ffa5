/**
 * Serves what `web/` built: pages, the files that they load, and the OpenAPI document. They lie in the
 * static assets of the Worker; where it has none (the benchmark's), there are none of them.
 */
import { PROBLEM_CODES, ProblemError } from '../../problem.ts';
import { type AppContext, exchangeOf } from '../exchange.ts';
import {
  DOCS_PATH,
  GUIDE_NAMES,
  GUIDES_PATH,
  guidePath,
  OPENAPI_PATH,
  PROBLEMS_PATH,
  problemPath,
} from '../paths.ts';
import type { Reply } from '../reply.ts';
import { pageHeaders, SERVED_PAGES } from './policy.ts';

/** A page is asked for anew each time, mostly to be told that it has not changed. */
const PAGE_CACHING = 'public, max-age=0, must-revalidate';

/** What is in a file whose name holds its hash never changes. */
const FILE_CACHING = 'public, max-age=31536000, immutable';

const DOCUMENT_CACHING = 'public, max-age=300';

/** Headers that the platform gives to static assets and that stay. */
const KEPT_HEADERS = ['content-type', 'etag'] as const;

/** Paths that are no pages and that people try, with the parts of the reference that they mean. */
const LISTS: Readonly<Record<string, string>> = {
  [GUIDES_PATH]: `${DOCS_PATH}#guides`,
  [PROBLEMS_PATH]: `${DOCS_PATH}#errors`,
};

const PAGES: ReadonlySet<string> = new Set([
  ...Object.keys(SERVED_PAGES),
  ...GUIDE_NAMES.map(guidePath),
  ...PROBLEM_CODES.map(problemPath),
]);

/** The page at the path of the request. @throws ProblemError route_unknown */
export function servePage(context: AppContext): Promise<Reply> {
  const { path } = exchangeOf(context);
  return serveAsset(
    `${path}.html`,
    { ...pageHeaders(path), 'cache-control': PAGE_CACHING },
    context,
  );
}

/** A file that pages load. @throws ProblemError route_unknown */
export function serveFile(context: AppContext): Promise<Reply> {
  return serveAsset(exchangeOf(context).path, { 'cache-control': FILE_CACHING }, context);
}

/** `GET /openapi.json`. @throws ProblemError route_unknown */
export function serveDocument(context: AppContext): Promise<Reply> {
  return serveAsset(OPENAPI_PATH, { 'cache-control': DOCUMENT_CACHING }, context);
}

/** Leads on to another page, as `GET /` does people who only know the host. */
export function redirectTo(path: string): Reply {
  const headers = { location: path, 'cache-control': 'public, max-age=300' };
  return { status: 302, body: null, headers };
}

/** The page that an unknown path leads to: that of the path without slashes at its end. */
export function pageInstead(path: string): string | null {
  const plain = withoutSlashesAtEnd(path);
  if (Object.hasOwn(LISTS, plain)) return LISTS[plain] as string;
  return plain !== path && PAGES.has(plain) ? plain : null;
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

async function serveAsset(
  path: string,
  headers: Readonly<Record<string, string>>,
  { env, req }: AppContext,
): Promise<Reply> {
  const condition = req.header('if-none-match');
  // The types say that it is there; the benchmark serves the Worker without it.
  const asset = await env.ASSETS?.fetch(new URL(path, req.url), {
    headers: condition === undefined ? {} : { 'if-none-match': condition },
  });
  if (asset === undefined || (asset.status !== 200 && asset.status !== 304)) {
    await asset?.body?.cancel();
    throw new ProblemError('route_unknown', 'There is no such page.');
  }
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
