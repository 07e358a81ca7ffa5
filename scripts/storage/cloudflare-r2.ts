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
import { CommandError } from '../cli/command-error.ts';
import { shellWord } from '../cli/output.ts';
import { CloudflareApiError, failure, type HttpRequest, r2EndpointIn } from './api-answer.ts';
import type { CloudflareApi } from './cloudflare-api.ts';
import type { Ledger, LedgerKey } from './key-value-store.ts';

/** What sixteen requests under way at once come to, about: S3's way has no limit of its own. */
const REQUESTS_PER_SECOND = 100;

/** Requests of any publication: for the log, the pointer, and what the live release is compared by. */
const OTHER_REQUESTS = 20;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

const tokenSchema = z.object({ id: z.string() });

interface R2Request extends HttpRequest {
  /** Null for the bucket itself. */
  readonly key: string | null;
  readonly query?: Readonly<Record<string, string>>;
  /**
   * Whether it is made on condition that nothing is there. An interruption waits then for the answer
   * to an attempt under way: it may have arrived, and the command has to say so.
   */
  readonly creates?: boolean;
}

/** Opens a bucket. @param api knows the id of the token, and how to wait */
export function cloudflareR2(
  api: CloudflareApi,
  bucket: string,
  jurisdiction: string | null = null,
) {
  const at = r2EndpointIn(api.access, jurisdiction);
  const [where, option] =
    jurisdiction === null
      ? ['', '']
      : [` in ${jurisdiction}`, ` --jurisdiction ${shellWord(jurisdiction)}`];
  const noBucket = `has no bucket ${bucket}${where}; create it once: npx wrangler r2 bucket create ${shellWord(bucket)}${option}`;
  /** It knows the token's id, which the first request asks for. */
  let signer: AwsClient | undefined;

  /** Sends a request and returns the answer, 404 and 412 included. @throws CloudflareApiError */
  async function send(request: R2Request) {
    // That question is repeated on its own: when it fails, nothing is left to try.
    signer ??= await readSigner(api);
    const opened = signer;
    return api.repeat((signal) => attempt(request, opened, request.creates ? undefined : signal));
  }

  async function attempt(request: R2Request, opened: AwsClient, interruption?: AbortSignal) {
    const { purpose, method, key, query = {}, body = new Uint8Array(), creates } = request;
    const path = [bucket, ...(key?.split('/') ?? [])].map(encodeURIComponent).join('/');
    const url = `${at}/${path}?${new URLSearchParams(query)}`;
    // This machine's clock may be wrong: signatures go by Cloudflare's, as it was told last.
    const datetime = new Date(api.now()).toISOString().replace(/[-:]|\.\d+/g, '');
    const { headers } = await opened.sign(url, {
      method,
      headers: {
        'x-amz-content-sha256': (await sha256(body)).toHex(),
        ...(creates && { 'if-none-match': '*' }),
      },
      aws: { datetime },
    });
    const answer = await api.exchange({ ...request, who: 'R2', at, url, headers, interruption });
    const { status, bytes } = answer;
    if (status >= 200 && status < 300) return answer;
    const code = textOf(new TextDecoder().decode(bytes), 'Code');
    const isThere = code !== 'NoSuchBucket';
    const isMissing = status === 404 && key !== null && isThere && method !== 'PUT';
    if (isMissing || (creates && status === 412)) return answer;
    const passing = code === 'RequestTimeTooSkewed' || status === 429 || status >= 500;
    const words = `answered ${status}${code === null ? '' : `: ${code}`}`;
    throw failure('R2', purpose, isThere ? words : noBucket, { status, passing });
  }

  return {
    lateness: 0,

    async *list(prefix) {
      const purpose = `list the objects below ${prefix}`;
      let query: Record<string, string> = { 'list-type': '2', prefix };
      for (;;) {
        const { bytes } = await send({ purpose, method: 'GET', key: null, query });
        const page = new TextDecoder().decode(bytes);
        yield* readPage(page);
        const token = textOf(page, 'NextContinuationToken');
        if (token === null) return;
        query = { ...query, 'continuation-token': token };
      }
    },

    async get(key) {
      const { status, bytes } = await send({ purpose: `read ${key}`, method: 'GET', key });
      return status === 404 ? null : bytes;
    },

    async put(key, body) {
      await send({ purpose: `write ${key}`, method: 'PUT', key, body });
    },

    async create(key, body) {
      const purpose = `create ${key}`;
      return (await send({ purpose, method: 'PUT', key, body, creates: true })).status !== 412;
    },

    async delete(key) {
      await send({ purpose: `delete ${key}`, method: 'DELETE', key });
    },

    price({ length }) {
      const requests = length + OTHER_REQUESTS;
      return { requests, seconds: Math.ceil(requests / REQUESTS_PER_SECOND), freeWrites: null };
    },

    /** Returns the time, which any answer has; what is asked for need not be there. */
    async now() {
      const purpose = 'tell the time';
      const { time } = await send({ purpose, method: 'GET', key: 'time' });
      if (Number.isFinite(time)) return time;
      throw new CommandError(`R2 did not ${purpose}: its answer has no date`, 'api_failed');
    },
  } satisfies Ledger;
}

/** Tokens belong to a user or to an account, and only the right one of two routes knows them. */
async function readSigner(api: CloudflareApi): Promise<AwsClient> {
  const purpose = 'tell the id of CLOUDFLARE_API_TOKEN, which R2 wants to know';
  const ask = (owner: string) =>
    api.json({ purpose, method: 'GET', path: `${owner}/tokens/verify` }, tokenSchema);
  const { result } = await ask('/user').catch((error: unknown) => {
    if (!(error instanceof CloudflareApiError) || error.passing) throw error;
    return ask(api.account).catch(() => Promise.reject(error));
  });
  const secretAccessKey = (await sha256(new TextEncoder().encode(api.access.token))).toHex();
  // R2 has one region.
  return new AwsClient({ accessKeyId: result.id, secretAccessKey, service: 's3', region: 'auto' });
}

function* readPage(page: string): Generator<LedgerKey> {
  for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = textOf(object, 'Key');
    if (key === null) continue;
    const storedAt = Date.parse(textOf(object, 'LastModified') ?? '');
    yield { key, bytes: Number(textOf(object, 'Size')), storedAt };
  }
}

/** Returns the text of the first element of this name; null when there is none, or an empty one. */
function textOf(xml: string, name: string): string | null {
  const [, text] = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml) ?? [];
  return text?.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity) ?? null;
}
