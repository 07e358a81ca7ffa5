/**
 * Serves what `web/` built: pages, the files that they load, and the OpenAPI document. They are
 * static assets of the Worker. Without assets, as in the benchmark, all of them are a 404.
 */
import { type ByName, ProblemError } from '../model/problem.ts';
import { answer, redirect } from './answer.ts';
import { DOCS_PATH, EXPLORE_PATH, MARKDOWN_ENDING, SEARCH_PREFIX } from './paths.ts';
import type { AppContext } from './trace.ts';

/** Headers of static assets that are passed on. */
const KEPT_HEADERS = ['content-type', 'etag'] as const;

/**
 * Security policy of pages, which keeps a page to itself and to this origin. What holds unless a page
 * needs otherwise: no other origin, no inline script, no frame.
 */
const POLICY: ByName = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The directives that differ, by the first part of the path. */
const DIFFERENCES: Readonly<Record<string, ByName>> = {
  // The search runs WebAssembly in a web worker. Coloured code and some labels have inline styles.
  // Scripts are in files all the same.
  [DOCS_PATH]: {
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
  },
  // The map draws in a web worker, and makes pictures out of bytes. Logos of stores lie on hosts that only the
  // stores know: a picture runs nothing, and is asked for without a referrer, once its store is opened.
  [EXPLORE_PATH]: { 'worker-src': "'self'", 'img-src': "'self' data: blob: https:" },
};

/**
 * Answers with the page at a path, as HTML or as Markdown, or with what the search of the documentation
 * loads.
 * @throws ProblemError route_unknown
 */
export async function servePage(context: AppContext): Promise<Response> {
  const { path } = context.get('trace');
  let end = path.length;
  while (path[end - 1] === '/') end--;
  if (end < path.length) return redirect(context, path.slice(0, end));
  // The web worker of the search follows the policy of its own file. Browsers ask for a page each time,
  // and mostly learn that it has not changed.
  const headers = { ...pageHeaders(path), 'cache-control': 'public, max-age=0, must-revalidate' };
  const isFile = path.startsWith(SEARCH_PREFIX) || path.endsWith(MARKDOWN_ENDING);
  const asset = isFile ? path : `${path}/index.html`;
  return serveAsset(context, asset, headers);
}

/**
 * Answers with a file that pages load, a document for programs, or the picture of all pages.
 * @throws ProblemError route_unknown
 */
const serveCached = (caching: string) => (context: AppContext) =>
  serveAsset(context, context.get('trace').path, { 'cache-control': caching });

// A file whose name holds its hash never changes.
export const serveFile = serveCached('public, max-age=31536000, immutable');
export const serveDocument = serveCached('public, max-age=300');

/**
 * Answers a browser at a missing page of the documentation with a page that says so; null for other
 * callers, and where there is no such page or it cannot be read.
 */
export async function serveNotFoundPage(
  context: AppContext,
  headers: ByName,
): Promise<Response | null> {
  if (!context.req.raw.headers.get('accept')?.includes('text/html')) return null;
  try {
    // The path of this page itself is not served.
    const asset = await askAssets(context, `${DOCS_PATH}/404.html`, {});
    const page = asset && new Uint8Array(await asset.arrayBuffer());
    const type = { ...pageHeaders(DOCS_PATH), 'content-type': 'text/html; charset=utf-8' };
    return page && answer(context, 404, page, { ...headers, ...type });
  } catch {
    return null;
  }
}

/** Answers with a static asset. @throws ProblemError route_unknown */
async function serveAsset(context: AppContext, path: string, headers: ByName): Promise<Response> {
  const condition = context.req.raw.headers.get('if-none-match');
  const conditions = condition === null ? {} : { 'if-none-match': condition };
  const asset = await askAssets(context, path, conditions);
  if (!asset) throw new ProblemError('route_unknown', 'There is no such page.');
  const all: Record<string, string> = { ...headers };
  for (const name of KEPT_HEADERS) {
    const value = asset.headers.get(name);
    if (value !== null) all[name] = value;
  }
  // `answer` states a length only for a body in memory, and HEAD needs the length.
  const isCounted = context.req.method === 'HEAD' && asset.status === 200;
  const body = isCounted ? new Uint8Array(await asset.arrayBuffer()) : asset.body;
  return answer(context, asset.status, body, all);
}

/** Returns the asset at a path, or a 304; null if there is none. */
async function askAssets(
  context: AppContext,
  path: string,
  headers: ByName,
): Promise<Response | null> {
  // The types promise `ASSETS`. The benchmark serves the Worker without it.
  const asset = await context.env.ASSETS?.fetch(new URL(path, context.req.url), { headers });
  if (asset?.status === 200 || asset?.status === 304) return asset;
  await asset?.body?.cancel();
  return null;
}

/** Returns the security headers of the page at `path`. */
function pageHeaders(path: string): ByName {
  const directives = { ...POLICY, ...DIFFERENCES[`/${path.split('/')[1]}`] };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  return {
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'content-security-policy': policy.join('; '),
  };
}
