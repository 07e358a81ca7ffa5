/** The token that `npm start` prints. Its secret is not stored, so every start issues a new one. */
import { READ_STORES } from '../../src/auth/scope.ts';
import { tokenKey } from '../../src/auth/token.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { type IssuedToken, issueToken } from './issue-token.ts';
import { readTokens } from './stored-token.ts';

const DEMO_PARTNER = 'demo';
const DEMO_NOTE = 'issued by npm start';

/** Issues a demo token for development and deletes those of earlier starts. */
export async function replaceDemoToken(store: KvStore): Promise<IssuedToken> {
  for (const { hash, record } of await readTokens(store)) {
    if (record?.partner === DEMO_PARTNER && record.note === DEMO_NOTE) {
      await store.delete(tokenKey(hash));
    }
  }
  const order = {
    partner: DEMO_PARTNER,
    scopes: [READ_STORES],
    expiresAt: null,
    utm: null,
    note: DEMO_NOTE,
  };
  return issueToken(store, 'development', order);
}
