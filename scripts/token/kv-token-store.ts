/** Token records in a KV namespace that a binding reaches: local storage. */
import { TOKEN_KEY_PREFIX, tokenKey } from '../../src/auth/token.ts';
import { retryBusy } from '../storage/retry-busy.ts';
import type { TokenStore } from './token-store.ts';

/** The part of a KV namespace that tokens are kept through. */
export interface TokenNamespace {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<KeyPage>;
}

/** Keys come in pages of at most 1,000. */
export type KeyPage =
  | { readonly keys: readonly { readonly name: string }[]; readonly list_complete: true }
  | {
      readonly keys: readonly { readonly name: string }[];
      readonly list_complete: false;
      readonly cursor: string;
    };

export class KvTokenStore implements TokenStore {
  private readonly namespace: TokenNamespace;

  constructor(namespace: TokenNamespace) {
    this.namespace = namespace;
  }

  async hashes(start: string): Promise<string[]> {
    const prefix = tokenKey(start);
    const hashes: string[] = [];
    let page = await retryBusy(() => this.namespace.list({ prefix }));
    for (;;) {
      for (const { name } of page.keys) hashes.push(name.slice(TOKEN_KEY_PREFIX.length));
      if (page.list_complete) return hashes;
      const { cursor } = page;
      page = await retryBusy(() => this.namespace.list({ prefix, cursor }));
    }
  }

  read(hash: string): Promise<string | null> {
    return retryBusy(() => this.namespace.get(tokenKey(hash)));
  }

  write(hash: string, record: string): Promise<void> {
    return retryBusy(() => this.namespace.put(tokenKey(hash), record));
  }

  delete(hash: string): Promise<void> {
    return retryBusy(() => this.namespace.delete(tokenKey(hash)));
  }
}
