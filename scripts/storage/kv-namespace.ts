/** A Workers KV namespace behind Cloudflare's API; values are encoded and decoded on their way. */
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';
import { unlessMissing } from './api-answer.ts';
import type { ApiRequest, CloudflareApi } from './cloudflare-api.ts';
import { ATTEMPTS } from './http-exchange.ts';
import type { Guard, KvKey } from './key-value-store.ts';
import { bulkBody, checkPair, KEYS_PER_REQUEST, type KvPair } from './kv-limits.ts';
import { decodeKvValue, readLength } from './kv-value.ts';

/** The most keys of one bulk read, and how many bytes it may answer with. */
export const KEYS_PER_READ = 100;
export const BYTES_PER_READ = 25_000_000;

/** The most keys of a page that the API gives. */
const PAGE_LENGTH = '1000';

const keysSchema = z.array(z.object({ name: z.string(), metadata: z.unknown().optional() }));

const valuesSchema = z.object({ values: z.record(z.string(), z.string().nullable()) });

/** Older answers lack the counts, or the whole result. */
const bulkResultSchema = z
  .object({
    successful_key_count: z.number().optional(),
    unsuccessful_keys: z.array(z.string()).nullish(),
  })
  .nullish();

type BulkResult = z.infer<typeof bulkResultSchema>;

export class KvNamespace {
  private readonly api: CloudflareApi;
  private readonly path: string;

  constructor(api: CloudflareApi, namespaceId: string) {
    this.api = api;
    this.path = `/storage/kv/namespaces/${encodeURIComponent(namespaceId)}`;
  }

  /** Every key that begins with `prefix`, in order. */
  async *list(prefix: string): AsyncGenerator<KvKey> {
    const purpose = `list the keys of KV below ${prefix}`;
    const request: ApiRequest = { purpose, method: 'GET', path: `${this.path}/keys` };
    let cursor: string | null = null;
    do {
      const from: Record<string, string> = cursor === null ? {} : { cursor };
      const query = { prefix, limit: PAGE_LENGTH, ...from };
      const page = await this.api.json({ ...request, query }, keysSchema);
      for (const { name, metadata } of page.result) {
        yield { key: name, bytes: readLength(metadata), metadata };
      }
      cursor = page.cursor;
    } while (cursor !== null);
  }

  /** The value of `key`, or null when KV knows none (yet). */
  async get(key: string): Promise<Uint8Array | null> {
    const purpose = `read ${key} from KV`;
    const request: ApiRequest = { purpose, method: 'GET', path: this.valuePath(key) };
    const value = await unlessMissing(this.api.bytes(request));
    return value && decodeKvValue(key, value);
  }

  /**
   * The values of at most `KEYS_PER_READ` keys in one request; those that KV does not know (yet) are
   * left out. They travel as text, which is what objects are in KV.
   */
  async getBatch(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const purpose = `read ${keys.length} values from KV`;
    const bytes = new TextEncoder().encode(JSON.stringify({ keys, type: 'text' }));
    const body = { type: 'application/json', bytes } as const;
    const request: ApiRequest = { purpose, method: 'POST', path: `${this.path}/bulk/get`, body };
    const { result } = await this.api.json(request, valuesSchema);
    const values = new Map<string, Uint8Array>();
    for (const [key, text] of Object.entries(result.values)) {
      if (text !== null) values.set(key, decodeKvValue(key, new TextEncoder().encode(text)));
    }
    return values;
  }

  /** Writes one value: by the bulk route, the only one that takes metadata beside bytes of any kind. */
  async put(key: string, bytes: Uint8Array, metadata?: object): Promise<void> {
    checkPair({ key, size: bytes.length });
    await this.putBatch([{ key, bytes, ...(metadata && { metadata }) }], () => {});
  }

  /** Removes `key`; no error when it is not there. */
  async delete(key: string, guard?: Guard): Promise<void> {
    const purpose = `delete ${key} from KV`;
    const request: ApiRequest = { purpose, method: 'DELETE', path: this.valuePath(key), guard };
    await unlessMissing(this.api.json(request, z.unknown()));
  }

  /**
   * Writes the pairs of one request (see `planBatches`) and repeats those that the API says it
   * could not write.
   * @param stored told of each key once it is written
   * @throws CommandError bulk_incomplete when some are left after all attempts
   */
  async putBatch(pairs: readonly KvPair[], stored: (key: string) => void): Promise<void> {
    const send = (keys: ReadonlySet<string>) => {
      const body = bulkBody(pairs.filter(({ key }) => keys.has(key)));
      return this.sendBulk(`write ${keys.size} values to KV`, 'PUT', 'bulk', body);
    };
    await this.repeatUnsuccessful(
      pairs.map(({ key }) => key),
      send,
      stored,
    );
  }

  /** Removes many keys; no error for those that are not there. */
  async deleteAll(keys: readonly string[], guard?: Guard): Promise<void> {
    const send = (batch: ReadonlySet<string>) => {
      const body = new TextEncoder().encode(JSON.stringify([...batch]));
      return this.sendBulk(`delete ${batch.size} keys from KV`, 'POST', 'bulk/delete', body, guard);
    };
    for (let from = 0; from < keys.length; from += KEYS_PER_REQUEST) {
      await this.repeatUnsuccessful(keys.slice(from, from + KEYS_PER_REQUEST), send);
    }
  }

  private async repeatUnsuccessful(
    keys: readonly string[],
    send: (keys: ReadonlySet<string>) => Promise<BulkResult>,
    done: (key: string) => void = () => {},
  ): Promise<void> {
    let left: ReadonlySet<string> = new Set(keys);
    for (let attempt = 1; left.size > 0; attempt++) {
      const rest = unsuccessful(left, await send(left));
      for (const key of left) if (!rest.has(key)) done(key);
      left = rest;
      if (left.size > 0) await this.backOff(left, attempt);
    }
  }

  private async backOff(left: ReadonlySet<string>, attempt: number): Promise<void> {
    const [example] = left;
    const message = `Cloudflare's API left ${left.size} keys undone, such as ${example}`;
    if (attempt < ATTEMPTS) return this.api.backOff(attempt, message);
    throw new CommandError(`${message}, in each of ${ATTEMPTS} attempts`, {
      code: 'bulk_incomplete',
      details: { keys: [...left] },
    });
  }

  private async sendBulk(
    purpose: string,
    method: 'PUT' | 'POST',
    route: string,
    bytes: Uint8Array,
    guard?: Guard,
  ): Promise<BulkResult> {
    const body = { type: 'application/json', bytes } as const;
    const request: ApiRequest = { purpose, method, path: `${this.path}/${route}`, body, guard };
    return (await this.api.json(request, bulkResultSchema)).result;
  }

  private valuePath(key: string): string {
    return `${this.path}/values/${encodeURIComponent(key)}`;
  }
}

/** The keys that have to be sent again; all of them when the answer's counts do not add up. */
function unsuccessful(sent: ReadonlySet<string>, result: BulkResult): ReadonlySet<string> {
  const failed = new Set(result?.unsuccessful_keys);
  const done = result?.successful_key_count ?? sent.size - failed.size;
  const addsUp = done + failed.size >= sent.size && [...failed].every((key) => sent.has(key));
  return addsUp ? failed : sent;
}
