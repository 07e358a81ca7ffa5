/** Tokens in a KV namespace of Cloudflare's platform, reached through its API. */
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';
import { type ApiRequest, ATTEMPTS, type CloudflareApi } from '../storage/cloudflare-api.ts';
import { KvNamespace } from '../storage/kv-namespace.ts';
import type { ListedKey, TokenStore } from './token-store.ts';

/** The most keys of a page that the API gives. */
const PAGE_LENGTH = '1000';

const pageSchema = z.array(z.object({ name: z.string(), metadata: z.unknown().optional() }));

/** Older answers have no result. */
const writeSchema = z.object({ unsuccessful_keys: z.array(z.string()).nullish() }).nullish();

export class RemoteTokenStore implements TokenStore {
  private readonly api: CloudflareApi;
  private readonly namespace: KvNamespace;
  private readonly path: string;

  constructor(api: CloudflareApi, namespaceId: string) {
    this.api = api;
    this.namespace = new KvNamespace(api, namespaceId);
    this.path = `/storage/kv/namespaces/${encodeURIComponent(namespaceId)}`;
  }

  async list(prefix: string): Promise<ListedKey[]> {
    const found: ListedKey[] = [];
    let cursor: string | null = null;
    do {
      const from: Record<string, string> = cursor === null ? {} : { cursor };
      const query = { prefix, limit: PAGE_LENGTH, ...from };
      const request: ApiRequest = {
        purpose: 'list the tokens',
        method: 'GET',
        path: `${this.path}/keys`,
        query,
      };
      const page: { result: z.infer<typeof pageSchema>; cursor: string | null } =
        await this.api.json(request, pageSchema);
      for (const { name, metadata } of page.result) found.push({ key: name, metadata });
      cursor = page.cursor;
    } while (cursor !== null);
    return found;
  }

  async read(key: string): Promise<string | null> {
    const bytes = await this.namespace.get(key);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** By the bulk route, which takes metadata as JSON and says of each key whether it was written. */
  async write(key: string, text: string, metadata: object): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify([{ key, value: text, metadata }]));
    const request: ApiRequest = {
      purpose: `write ${key} to KV`,
      method: 'PUT',
      path: `${this.path}/bulk`,
      body: { type: 'application/json', bytes },
    };
    for (let attempt = 1; ; attempt++) {
      const { result } = await this.api.json(request, writeSchema);
      if (!result?.unsuccessful_keys?.length) return;
      const message = `Cloudflare's API left ${key} undone`;
      if (attempt === ATTEMPTS) throw new CommandError(message, { code: 'bulk_incomplete' });
      await this.api.backOff(attempt, message);
    }
  }

  async delete(key: string): Promise<void> {
    await this.namespace.delete(key);
  }
}
