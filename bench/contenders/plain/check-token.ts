/** Tokens as a plain app checks them: against a table in memory, or first in KV. */
import { createMiddleware } from 'hono/factory';
import { hashToken, tokenKey } from '../../../src/auth/token.ts';
import type { Utm } from '../../../src/auth/token-record.ts';

export interface TokenEnv {
  Bindings: {
    /** Attribution by token. */
    readonly TOKENS: Readonly<Record<string, Utm | null>>;
    /** Where an isolate looks up a token before it believes the table; not always bound. */
    readonly TOKEN_STORE?: KVNamespace;
  };
  Variables: { utm: Utm | null };
}

/** Tokens that this isolate has found in KV. */
const found = new Set<string>();

export const checkToken = createMiddleware<TokenEnv>(async (context, next) => {
  const token = context.req.header('x-access-token') ?? '';
  const { TOKENS, TOKEN_STORE } = context.env;
  const utm = TOKENS[token];
  const isKnown = utm !== undefined && (await isStored(token, TOKEN_STORE));
  if (!isKnown) return context.json({ title: 'Unauthorized', status: 401 }, 401);
  context.set('utm', utm);
  await next();
});

async function isStored(token: string, store: KVNamespace | undefined): Promise<boolean> {
  if (!store || found.has(token)) return true;
  const record = await store.get(tokenKey(await hashToken(token)), 'json');
  if (record !== null) found.add(token);
  return record !== null;
}
