/** Turns what an operation replies into the response. */
import { type AppContext, exchangeOf } from './exchange.ts';
import type { Reply } from './reply.ts';

/** The response that `reply` makes. */
export async function answer(
  context: AppContext,
  reply: Reply | Promise<Reply>,
): Promise<Response> {
  return exchangeOf(context).finish(await reply);
}
