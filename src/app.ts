/**
 * The routes of the service.
 *
 * A route with store data names its steps in turn: who may call, what is asked, which handler
 * answers. `answerError` answers every error that a handler throws.
 */
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { shorten } from './auth/redact.ts';
import { admitted } from './http/admission.ts';
import { redirect } from './http/answer.ts';
import { listChanges } from './http/change-operations.ts';
import { checkHealth } from './http/health.ts';
import {
  CHANGES_PATH,
  DOCS_FILE_PATH,
  DOCS_PATH,
  DOCS_PATHS,
  EXPLORE_PATH,
  FAVICON_PATH,
  FILE_PATH,
  GUIDES_PATH,
  guidePath,
  HEALTH_PATH,
  LIST_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  OPERATIONS_PATH,
  ROOT_PATH,
  STORE_PATH,
} from './http/paths.ts';
import { answerError } from './http/problem-response.ts';
import { CHANGES_QUERY } from './http/query/changes-query.ts';
import { HEALTH_QUERY } from './http/query/health-query.ts';
import { suggestion } from './http/query/hints/closest-word.ts';
import { LIST_QUERY } from './http/query/list-query.ts';
import { expectShort, expectValidQuery } from './http/query/read-query.ts';
import { STORE_QUERY } from './http/query/store-query.ts';
import { serveDocument, serveFile, servePage } from './http/serve-pages.ts';
import { getStore, listStores } from './http/store-operations.ts';
import { type AppEnv, traced } from './http/trace.ts';
import { ProblemError } from './model/problem.ts';

export const app = new Hono<AppEnv>()
  // Hono answers HEAD as it answers GET, and takes the body away.
  .use(traced)
  .get(
    LIST_PATH,
    admitted,
    expectShort,
    zValidator('query', LIST_QUERY, expectValidQuery(LIST_QUERY)),
    (context) => listStores(context, context.req.valid('query')),
  )
  .get(
    CHANGES_PATH,
    admitted,
    expectShort,
    zValidator('query', CHANGES_QUERY, expectValidQuery(CHANGES_QUERY)),
    (context) => listChanges(context, context.req.valid('query')),
  )
  .get(
    STORE_PATH,
    admitted,
    expectShort,
    zValidator('query', STORE_QUERY, expectValidQuery(STORE_QUERY)),
    (context) => getStore(context, context.req.param('id'), context.req.valid('query')),
  )
  .get(
    HEALTH_PATH,
    expectShort,
    zValidator('query', HEALTH_QUERY, expectValidQuery(HEALTH_QUERY)),
    (context) => checkHealth(context, context.req.valid('query').ranWithin),
  )
  .get(OPENAPI_PATH, serveDocument)
  .get(LLMS_PATH, serveDocument)
  .get(ROOT_PATH, (context) => redirect(context, DOCS_PATH))
  .get(FAVICON_PATH, serveDocument)
  .get(DOCS_FILE_PATH, serveFile)
  .get(GUIDES_PATH, (context) => redirect(context, `${DOCS_PATH}#guides`))
  .get(OPERATIONS_PATH, (context) => redirect(context, `${DOCS_PATH}#operations`))
  // This path had the guide before.
  .get(`${GUIDES_PATH}/near-a-place`, (context) => redirect(context, guidePath('finding-stores')))
  .get(DOCS_PATHS, servePage)
  .get(EXPLORE_PATH, servePage)
  .get(`${EXPLORE_PATH}/`, servePage)
  .get(FILE_PATH, serveFile);

app.onError(answerError);

app.notFound((context) => {
  const { method, path } = context.req;
  // `traced` comes first: it is a handler of every path.
  const [[, ...handlers]] = app.router.match('GET', path);
  if (handlers.length === 0) {
    return answerError(new ProblemError('route_unknown', adviseRoute(path)), context);
  }
  const detail = `${shorten(method)} is not answered here, only GET and HEAD are.`;
  return answerError(new ProblemError('method_not_allowed', detail), context);
});

/** Paths that callers of an unknown one may have meant. */
const PATHS: readonly string[] = [
  LIST_PATH,
  CHANGES_PATH,
  OPENAPI_PATH,
  DOCS_PATH,
  EXPLORE_PATH,
  HEALTH_PATH,
];

/**
 * Says that there is no such path, with a hint at the one with the same end (slashes at the end and
 * repeated ones aside), else at the closest one.
 */
function adviseRoute(path: string): string {
  const plain = path.replaceAll(/\/+/g, '/').replace(/\/$/, '').toLowerCase();
  const slash = plain.lastIndexOf('/');
  const end = plain.slice(slash);
  // Does not repeat what was sent: it may be anything.
  const isStore = plain.slice(0, slash) === LIST_PATH;
  const meant = isStore ? `${LIST_PATH}/{id}` : PATHS.find((known) => end && known.endsWith(end));
  const hint = suggestion(meant?.toLowerCase() ?? plain, meant ? [meant] : PATHS);
  return `There is no such path.${hint}`;
}
