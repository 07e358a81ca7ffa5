/**
 * The routes of the service.
 *
 * Each has one handler, which answers with what its operation replies. Those with store data admit the
 * caller first. Errors that any of them throws are answered in one place.
 */
import { zValidator } from '@hono/zod-validator';
import { Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod';
import type { Caller } from './auth/grant.ts';
import { admitCaller } from './http/admission.ts';
import { listChanges } from './http/change-operations.ts';
import { type AppEnv, type Exchange, exchangeOf } from './http/exchange.ts';
import { checkHealth } from './http/health.ts';
import {
  redirectTo,
  refuse,
  serveDocument,
  serveFile,
  servePage,
} from './http/pages/serve-pages.ts';
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
  OPENAPI_PATH,
  OPERATIONS_PATH,
  PROBLEM_PATH,
  ROOT_PATH,
  STORE_PATH,
} from './http/paths.ts';
import type { Reply } from './http/reply.ts';
import { adviseRoute } from './http/route-advice.ts';
import { answerList, answerStore } from './http/store-operations.ts';
import { PROBLEM_CODES, ProblemError } from './problem.ts';
import { shorten } from './shown-text.ts';

type Handler = MiddlewareHandler<AppEnv>;

/** Answers with what `operation` replies. */
function answered(operation: (exchange: Exchange) => Reply | Promise<Reply>): Handler {
  return async (context) => {
    const exchange = exchangeOf(context);
    return exchange.finish(await operation(exchange));
  };
}

/** Leads on to another page. */
const leadingTo = (path: string): Handler => answered(() => redirectTo(path));

/** As `answered`, for callers who may have store data. */
function admitted(operation: (exchange: Exchange, caller: Caller) => Promise<Reply>): Handler {
  return answered(async (exchange) => operation(exchange, await admitCaller(exchange)));
}

const knownProblem = zValidator(
  'param',
  z.object({ code: z.enum(PROBLEM_CODES) }),
  ({ success }) => {
    if (!success) throw new ProblemError('route_unknown', 'There is no such problem.');
  },
);

export const app = new Hono<AppEnv>()
  // Hono answers HEAD as it answers GET, and takes the body away.
  .get(LIST_PATH, admitted(answerList))
  .get(CHANGES_PATH, admitted(listChanges))
  .get(STORE_PATH, admitted(answerStore))
  .get(OPENAPI_PATH, answered(serveDocument))
  .get(ROOT_PATH, leadingTo(DOCS_PATH))
  .get(FAVICON_PATH, answered(serveDocument))
  .get(PROBLEM_PATH, knownProblem, answered(servePage))
  .get(DOCS_FILE_PATH, answered(serveFile))
  .get(GUIDES_PATH, leadingTo(`${DOCS_PATH}#guides`))
  .get(OPERATIONS_PATH, leadingTo(`${DOCS_PATH}#operations`))
  // The guide that this one follows.
  .get(`${GUIDES_PATH}/near-a-place`, leadingTo(guidePath('finding-stores')))
  .get(DOCS_PATHS, answered(servePage))
  .get(EXPLORE_PATH, answered(servePage))
  .get(`${EXPLORE_PATH}/`, answered(servePage))
  .get(FILE_PATH, answered(serveFile))
  .get(HEALTH_PATH, answered(checkHealth));

app.onError(async (error, context) => {
  const exchange = exchangeOf(context);
  return exchange.finish(await refuse(error, exchange));
});

app.notFound((context) => {
  const { method, path } = context.req;
  const [handlers] = app.router.match('GET', path);
  if (handlers.length === 0) throw new ProblemError('route_unknown', adviseRoute(path));
  const detail = `${shorten(method)} is not answered here, only GET and HEAD are.`;
  throw new ProblemError('method_not_allowed', detail);
});
