/** An R2 bucket behind Cloudflare's API. */
import { z } from 'zod';
import { unlessMissing } from './api-error.ts';
import type { ApiRequest, CloudflareApi } from './cloudflare-api.ts';
import type { BeforeRepeat } from './key-value-store.ts';

/** The most objects of a page that the API gives. */
const PAGE_LENGTH = '1000';

const objectsSchema = z.array(z.object({ key: z.string() }));

export class R2BucketOverApi {
  private readonly api: CloudflareApi;
  private readonly path: string;

  constructor(api: CloudflareApi, bucket: string) {
    this.api = api;
    this.path = `/r2/buckets/${encodeURIComponent(bucket)}/objects`;
  }

  /** Every key that begins with `prefix`. */
  async *keys(prefix: string): AsyncGenerator<string> {
    const purpose = `list the objects of R2 below ${prefix}`;
    const request: ApiRequest = { purpose, method: 'GET', path: this.path };
    let cursor: string | null = null;
    do {
      const from: Record<string, string> = cursor === null ? {} : { cursor };
      const query = { prefix, per_page: PAGE_LENGTH, ...from };
      const page = await this.api.json({ ...request, query }, objectsSchema);
      for (const { key } of page.result) yield key;
      cursor = page.cursor;
    } while (cursor !== null);
  }

  /** The bytes of an object, or null when there is none. */
  get(key: string): Promise<Uint8Array | null> {
    const purpose = `read ${key} from R2`;
    return unlessMissing(this.api.bytes({ purpose, method: 'GET', path: this.objectPath(key) }));
  }

  async put(key: string, bytes: Uint8Array, beforeRepeat?: BeforeRepeat): Promise<void> {
    const purpose = `write ${key} to R2`;
    const body = { type: 'application/octet-stream', bytes } as const;
    const request: ApiRequest = { purpose, method: 'PUT', path: this.objectPath(key), body };
    await this.api.json({ ...request, beforeRepeat }, z.unknown());
  }

  /** Removes an object; no error when it is not there. */
  async delete(key: string): Promise<void> {
    const purpose = `delete ${key} from R2`;
    const request: ApiRequest = { purpose, method: 'DELETE', path: this.objectPath(key) };
    await unlessMissing(this.api.json(request, z.unknown()));
  }

  /** As wrangler does, slashes of the key are slashes of the path. */
  private objectPath(key: string): string {
    return `${this.path}/${key.split('/').map(encodeURIComponent).join('/')}`;
  }
}
