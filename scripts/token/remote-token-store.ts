/** Tokens in a KV namespace of Cloudflare's platform, reached through its API. */
import type { KvNamespace } from '../storage/kv-namespace.ts';
import type { ListedKey, TokenStore } from './token-store.ts';

export class RemoteTokenStore implements TokenStore {
  private readonly namespace: KvNamespace;

  constructor(namespace: KvNamespace) {
    this.namespace = namespace;
  }

  async list(prefix: string): Promise<ListedKey[]> {
    const found: ListedKey[] = [];
    for await (const entry of this.namespace.entries(prefix)) found.push(entry);
    return found;
  }

  async read(key: string): Promise<string | null> {
    const bytes = await this.namespace.get(key);
    return bytes && new TextDecoder().decode(bytes);
  }

  async write(key: string, text: string, metadata: object): Promise<void> {
    await this.namespace.put(key, new TextEncoder().encode(text), metadata);
  }

  async delete(key: string): Promise<void> {
    await this.namespace.delete(key);
  }
}
