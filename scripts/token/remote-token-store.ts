/** Token records in a KV namespace of Cloudflare's platform, reached through its API. */
import { TOKEN_KEY_PREFIX, tokenKey } from '../../src/auth/token.ts';
import type { CloudflareApi } from '../storage/cloudflare-api.ts';
import { KvNamespace } from '../storage/kv-namespace.ts';
import type { TokenStore } from './token-store.ts';

export class RemoteTokenStore implements TokenStore {
  private readonly namespace: KvNamespace;

  constructor(api: CloudflareApi, namespaceId: string) {
    this.namespace = new KvNamespace(api, namespaceId);
  }

  async hashes(start: string): Promise<string[]> {
    const hashes: string[] = [];
    for await (const { key } of this.namespace.keys(tokenKey(start))) {
      hashes.push(key.slice(TOKEN_KEY_PREFIX.length));
    }
    return hashes;
  }

  async read(hash: string): Promise<string | null> {
    const bytes = await this.namespace.get(tokenKey(hash));
    return bytes && new TextDecoder().decode(bytes);
  }

  async write(hash: string, record: string): Promise<void> {
    await this.namespace.put(tokenKey(hash), new TextEncoder().encode(record));
  }

  async delete(hash: string): Promise<void> {
    await this.namespace.delete(tokenKey(hash));
  }
}
