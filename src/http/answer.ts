/** Turns what an operation replies, or the error it ends in, into the response and its type. */
import type { TypedResponse } from 'hono';
import type { z } from 'zod';
import type { PROBLEMS, ProblemCode } from '../problem.ts';
import { type AppContext, exchangeOf } from './exchange.ts';
import { problemReply, type problemSchema } from './problem-response.ts';
import type { Reply } from './reply.ts';

type ProblemStatus = (typeof PROBLEMS)[ProblemCode]['status'];

/** What every operation may answer instead. */
type Problem = TypedResponse<z.infer<typeof problemSchema>, ProblemStatus, 'json'>;

/** The answer that a caller has already. */
export type NotModified = TypedResponse<null, 304, 'body'>;

export type Json<Body> = TypedResponse<Body, 200, 'json'>;
export type Redirect = TypedResponse<undefined, 302, 'redirect'>;
export type Text = TypedResponse<string, 200, 'text'>;

/** The response that `reply` makes; `Answer` is its type for typed clients. */
export async function answer<Answer extends TypedResponse>(
  context: AppContext,
  reply: Reply | Promise<Reply>,
): Promise<Answer | Problem> {
  const response: unknown = exchangeOf(context).finish(await reply);
  return response as Answer;
}

/** The response for a request that ended in `error`. */
export function answerError(error: unknown, context: AppContext): Response {
  const exchange = exchangeOf(context);
  return exchange.finish(problemReply(error, exchange));
}
