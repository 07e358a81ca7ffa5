/**
 * The routes of the service.
 *
 * There is no middleware: each route has one handler, which Hono calls directly. `answer` below does
 * what all routes have in common, before and after the handler.
 */
import { Hono } from 'hono';
import { type AppContext, Exchange, type Reply } from './http/exchange.ts';
import { checkHealth } from './http/health.ts';
import { openApiReply } from './http/openapi/document.ts';
import { redirectToDocs, serveFile, servePage } from './http/pages/serve-pages.ts';
import { SERVED_PAGES } from './http/pages/served-pages.ts';
import {
  FILE_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
  PROBLEM_PATH,
  ROOT_PATH,
  STORE_PATH,
} from './http/paths.ts';
import { problemReply } from './http/problem-response.ts';
import { getStore, listStores } from './http/store-operations.ts';
import { ProblemError } from './problem.ts';

type Serve = (exchange: Exchange, context: AppContext) => Reply | Promise<Reply>;

/** The handler of a route. Here, and nowhere else, replies and errors become responses. */
function answer(serve: Serve): (context: AppContext) => Promise<Response> {
  return async (context) => {
    const exchange = new Exchange(context);
    try {
      return exchange.finish(await serve(exchange, context));
    } catch (error) {
      return exchange.finish(problemReply(error, exchange));
    }
  };
}

export const app = new Hono<{ Bindings: Env }>();

// Hono answers HEAD as it answers GET, and takes the body away.
app.get(LIST_PATH, answer(listStores));
app.get(
  STORE_PATH,
  answer((exchange, context) => getStore(exchange, context.req.param('id') ?? '')),
);
app.get(OPENAPI_PATH, answer(openApiReply));
app.get(ROOT_PATH, answer(redirectToDocs));
for (const path of Object.keys(SERVED_PAGES)) app.get(path, answer(servePage));
app.get(PROBLEM_PATH, answer(servePage));
app.get(FILE_PATH, answer(serveFile));
app.get(HEALTH_PATH, answer(checkHealth));

app.notFound(
  answer((_, context) => {
    const { method, path } = context.req;
    const [handlers] = app.router.match('GET', path);
    if (handlers.length === 0) throw new ProblemError('route_unknown', 'There is no such path.');
    const detail = `${method} is not answered here, only GET and HEAD are.`;
    throw new ProblemError('method_not_allowed', detail, { headers: { allow: 'GET, HEAD' } });
  }),
);
