/** Turns what an operation replies, or the error it ends in, into the response. */
import { type AppContext, exchangeOf } from './exchange.ts';
import { problemReply } from './problem-response.ts';
import type { Reply } from './reply.ts';

/** The response that `reply` makes. */
export async function answer(
  context: AppContext,
  reply: Reply | Promise<Reply>,
): Promise<Response> {
  return exchangeOf(context).finish(await reply);
}

/** The response for a request that ended in `error`. */
export function answerError(error: unknown, context: AppContext): Response {
  const exchange = exchangeOf(context);
  return exchange.finish(problemReply(error, exchange));
}
