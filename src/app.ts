/**
 * The routes of the service.
 *
 * Nothing but the handlers of its route runs for a request: admission, the schemas of its path and
 * of its query, then the operation. Errors that any of them throws are answered in one place.
 */
import { Hono } from 'hono';
import { answer } from './http/answer.ts';
import { listChanges, prepareChanges } from './http/change-operations.ts';
import { type AppContext, type AppEnv, exchangeOf } from './http/exchange.ts';
import { checkHealth } from './http/health.ts';
import { admitted, validPath, validQuery } from './http/middleware.ts';
import {
  isBelowDocs,
  isPage,
  pageInstead,
  redirectTo,
  refuse,
  serveDocs,
  serveDocument,
  serveExplore,
  serveFile,
} from './http/pages/serve-pages.ts';
import { problemPathSchema } from './http/path-parameters.ts';
import {
  CHANGES_PATH,
  DOCS_PATH,
  DOCS_PATHS,
  EXPLORE_PATH,
  FAVICON_PATH,
  FILE_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
  PROBLEM_PATH,
  ROOT_PATH,
  STORE_PATH,
} from './http/paths.ts';
import { CHANGES_PARAMETERS } from './http/query/changes-parameters.ts';
import { GET_PARAMETERS } from './http/query/get-parameters.ts';
import { HEALTH_PARAMETERS } from './http/query/health-parameters.ts';
import { LIST_PARAMETERS } from './http/query/list-parameters.ts';
import { adviseRoute } from './http/route-advice.ts';
import { answerList, answerStore, partsOfList, partsOfStore } from './http/store-operations.ts';
import { ProblemError } from './problem.ts';
import { shorten } from './shown-text.ts';

/** Answers with what lies at the path of the request. */
const documentation = (context: AppContext) => answer(context, serveDocs(context));

export const app = new Hono<AppEnv>()
  // Hono answers HEAD as it answers GET, and takes the body away.
  .get(LIST_PATH, admitted(partsOfList), validQuery(LIST_PARAMETERS), (context) =>
    answer(
      context,
      answerList(exchangeOf(context), context.req.valid('query'), context.get('caller')),
    ),
  )
  .get(CHANGES_PATH, admitted(prepareChanges), validQuery(CHANGES_PARAMETERS), (context) =>
    answer(context, listChanges(exchangeOf(context), context.req.valid('query'))),
  )
  .get(STORE_PATH, admitted(partsOfStore), validQuery(GET_PARAMETERS), (context) =>
    answer(
      context,
      answerStore(
        exchangeOf(context),
        context.req.param('id'),
        context.req.valid('query'),
        context.get('caller'),
      ),
    ),
  )
  .get(OPENAPI_PATH, (context) => answer(context, serveDocument(context)))
  .get(ROOT_PATH, (context) => answer(context, redirectTo(DOCS_PATH)))
  .get(FAVICON_PATH, (context) => answer(context, serveDocument(context)))
  .get(PROBLEM_PATH, validPath(problemPathSchema, 'There is no such problem.'), (context) =>
    documentation(context),
  )
  .get(DOCS_PATHS, documentation)
  .get(EXPLORE_PATH, (context) => answer(context, serveExplore(context)))
  .get(FILE_PATH, (context) => answer(context, serveFile(context)))
  .get(HEALTH_PATH, validQuery(HEALTH_PARAMETERS), (context) =>
    answer(context, checkHealth(exchangeOf(context), context.req.valid('query').ranWithin)),
  );

app.onError((error, context) => answer(context, refuse(error, context)));

app.notFound(async (context) => {
  const { method, path } = context.req;
  const [handlers] = app.router.match('GET', path);
  const isKnown = handlers.length > 0 && (!isBelowDocs(path) || (await isPage(path, context)));
  if (!isKnown) {
    const instead = method === 'GET' || method === 'HEAD' ? await pageInstead(path, context) : null;
    if (instead !== null) return exchangeOf(context).finish(redirectTo(instead));
    throw new ProblemError('route_unknown', adviseRoute(path));
  }
  const detail = `${shorten(method)} is not answered here, only GET and HEAD are.`;
  throw new ProblemError('method_not_allowed', detail, { headers: { allow: 'GET, HEAD' } });
});
