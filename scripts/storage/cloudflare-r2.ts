/**
 * An R2 bucket of Cloudflare's platform, reached over S3's API. It is strongly consistent, a write may
 * be made on condition that nothing is there, and requests do not count among the 1,200 in five
 * minutes that Cloudflare's own API allows.
 *
 * The access key is the API token itself: its id, and the SHA-256 of its value as the secret. A
 * signature is good for a quarter of an hour around its time, so that a request held up by a machine
 * that slept is refused.
 */
import { AwsClient } from 'aws4fetch';
import * as z from 'zod';
import { sha256 } from '../../src/snapshot/hash.ts';
import { shellWord } from '../cli/output.ts';
import { CloudflareError, meaningOf } from './api-answer.ts';
import type { CloudflareApi, CloudflareRequest } from './cloudflare-api.ts';
import type { Ledger } from './key-value-store.ts';

const tokenSchema = z.object({ id: z.string() });

interface R2Request extends CloudflareRequest {
  /** Null for the bucket itself. */
  readonly key: string | null;
  /**
   * Whether it is made on condition that nothing is there. An interruption waits then for the answer
   * to an attempt under way: it may have arrived, and the command has to say so.
   */
  readonly creates?: boolean;
}

/**
 * Returns where the buckets of a jurisdiction are reached (`eu`; undefined: those without one). At the default endpoint
 * such a bucket does not exist, and creating it there would make a second one of its name.
 */
export function endpointIn(endpoint: string, jurisdiction?: string): string {
  const label = jurisdiction === undefined ? '' : `.${jurisdiction}`;
  return endpoint.replace(/(?=\.r2\.cloudflarestorage\.com$)/, label);
}

/** Opens a bucket. @param api knows the id of the token, and how to wait */
export function cloudflareR2(api: CloudflareApi, bucket: string, jurisdiction?: string) {
  const endpoint = endpointIn(api.access.r2Endpoint, jurisdiction);
  const option = jurisdiction === undefined ? '' : ` --jurisdiction ${shellWord(jurisdiction)}`;
  const noBucket = `has no bucket ${bucket}; create it once: npx wrangler r2 bucket create ${shellWord(bucket)}${option}`;
  /** Signs requests. It knows the token's id, which is asked for once. */
  let signer: AwsClient | undefined;

  /** Sends a request and returns the answer, 404 and 412 included. @throws CloudflareError */
  async function send(request: R2Request) {
    // That question is repeated on its own: when it fails, nothing is left to try.
    signer ??= await readSigner(api);
    const opened = signer;
    const { purpose, method, key, query, body = new Uint8Array(), creates } = request;
    const path = [bucket, ...(key?.split('/') ?? [])].map(encodeURIComponent).join('/');
    const url = `${endpoint}/${path}?${new URLSearchParams(query)}`;
    const sent = {
      'x-amz-content-sha256': (await sha256(body)).toHex(),
      ...(creates && { 'if-none-match': '*' }),
    };
    return api.repeat(async (signal) => {
      // This machine's clock may be wrong: signatures go by Cloudflare's, as it was told last.
      const datetime = new Date(api.now()).toISOString().replace(/[-:]|\.\d+/g, '');
      const { headers } = await opened.sign(url, { method, headers: sent, aws: { datetime } });
      const answer = await api.exchange(request, url, headers, creates ? undefined : signal);
      const { ok, status, bytes } = answer;
      const code = ok ? null : textOf(new TextDecoder().decode(bytes), 'Code');
      const isMissing = code === 'NoSuchKey' && method !== 'PUT';
      if (ok || isMissing || (creates && status === 412)) return answer;
      const words = code === 'NoSuchBucket' ? noBucket : `answered ${status}: ${code ?? 'no code'}`;
      const meaning = meaningOf(status);
      const passing = meaning.passing || code === 'RequestTimeTooSkewed';
      throw new CloudflareError(purpose, words, { ...meaning, passing });
    });
  }

  return {
    lateness: 0,
    freeWrites: null,

    async *list(prefix) {
      const purpose = `list the objects of R2 below ${prefix}`;
      let query: Record<string, string> = { 'list-type': '2', prefix };
      for (;;) {
        const { bytes } = await send({ purpose, method: 'GET', key: null, query });
        const page = new TextDecoder().decode(bytes);
        for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const storedAt = Date.parse(textOf(object, 'LastModified') ?? '');
          const bytes = Number(textOf(object, 'Size'));
          yield { key: textOf(object, 'Key') ?? '', bytes, storedAt };
        }
        const token = textOf(page, 'NextContinuationToken');
        if (token === null) return;
        query = { ...query, 'continuation-token': token };
      }
    },

    async get(key) {
      const purpose = `read ${key} from R2`;
      const { ok, bytes } = await send({ purpose, method: 'GET', key });
      return ok ? bytes : null;
    },

    async put(key, body) {
      await send({ purpose: `write ${key} to R2`, method: 'PUT', key, body });
    },

    async create(key, body) {
      const purpose = `create ${key} in R2`;
      return (await send({ purpose, method: 'PUT', key, body, creates: true })).ok;
    },

    async delete(key) {
      await send({ purpose: `delete ${key} from R2`, method: 'DELETE', key });
    },

    async now() {
      // From then on an answer has told the time.
      signer ??= await readSigner(api);
      return api.now();
    },
  } satisfies Ledger;
}

/** Tokens belong to a user or to an account, and only the right one of two routes knows them. */
async function readSigner(api: CloudflareApi): Promise<AwsClient> {
  const { account, token } = api.access;
  const purpose = 'tell the id of CLOUDFLARE_API_TOKEN, which R2 wants to know';
  const ask = (owner: string) =>
    api.json({ purpose, method: 'GET', path: `${owner}/tokens/verify` }, tokenSchema);
  const { result } = await ask('/user').catch((error: unknown) => {
    if (!(error instanceof CloudflareError) || error.passing) throw error;
    return ask(account);
  });
  const secretAccessKey = (await sha256(new TextEncoder().encode(token))).toHex();
  // R2 has one region.
  return new AwsClient({ accessKeyId: result.id, secretAccessKey, service: 's3', region: 'auto' });
}

/** Returns the text of the first element of this name; null when there is none. Ours hold no entities. */
function textOf(xml: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1] ?? null;
}
