/** Tokens as a plain app checks them: against a table in memory. */
import { createMiddleware } from 'hono/factory';
import type { Utm } from '../../../src/model/utm.ts';

export interface TokenEnv {
  Bindings: {
    /** Attribution by token. */
    readonly TOKENS: Readonly<Record<string, Utm | null>>;
  };
  Variables: { utm: Utm | null };
}

export const checkToken = createMiddleware<TokenEnv>(async (context, next) => {
  const token = context.req.header('x-access-token') ?? '';
  const utm = context.env.TOKENS[token];
  if (utm === undefined) return context.json({ title: 'Unauthorized', status: 401 }, 401);
  context.set('utm', utm);
  await next();
});
