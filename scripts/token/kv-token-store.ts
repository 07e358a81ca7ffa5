/** Tokens in a KV namespace that a binding reaches: local storage. */
import { retryBusy } from '../storage/retry-busy.ts';
import type { ListedKey, TokenStore } from './token-store.ts';

/** The part of a KV namespace that tokens are kept through. */
export interface TokenNamespace {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { metadata: object }): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<KeyPage>;
}

type PageKey = { readonly name: string; readonly metadata?: unknown };

/** Keys come in pages of at most 1,000. */
export type KeyPage =
  | { readonly keys: readonly PageKey[]; readonly list_complete: true }
  | {
      readonly keys: readonly PageKey[];
      readonly list_complete: false;
      readonly cursor: string;
    };

export class KvTokenStore implements TokenStore {
  private readonly namespace: TokenNamespace;

  constructor(namespace: TokenNamespace) {
    this.namespace = namespace;
  }

  async list(prefix: string): Promise<ListedKey[]> {
    const found: ListedKey[] = [];
    let page = await retryBusy(() => this.namespace.list({ prefix }));
    for (;;) {
      for (const { name, metadata } of page.keys) found.push({ key: name, metadata });
      if (page.list_complete) return found;
      const { cursor } = page;
      page = await retryBusy(() => this.namespace.list({ prefix, cursor }));
    }
  }

  read(key: string): Promise<string | null> {
    return retryBusy(() => this.namespace.get(key));
  }

  write(key: string, text: string, metadata: object): Promise<void> {
    return retryBusy(() => this.namespace.put(key, text, { metadata }));
  }

  delete(key: string): Promise<void> {
    return retryBusy(() => this.namespace.delete(key));
  }
}
