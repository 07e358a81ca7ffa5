/**
 * Requests to R2 over S3's API. They do not count among the 1,200 in five minutes that Cloudflare's
 * own API allows, and a write may be made on condition that nothing is there.
 *
 * The access key is the API token itself: its id, and the SHA-256 of its value as the secret.
 */
import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { z } from 'zod';
import { sha256 } from '../../src/hash.ts';
import { type ApiAccess, r2EndpointIn } from './api-access.ts';
import { CloudflareApiError } from './api-answer.ts';
import type { CloudflareApi } from './cloudflare-api.ts';
import { exchange, repeatPassing } from './http-exchange.ts';
import type { Guard } from './key-value-store.ts';
import { backoff } from './pace.ts';

const tokenSchema = z.object({ id: z.string() });

export interface S3Request {
  /** Completes the sentence "R2 did not …". */
  readonly purpose: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Null for the bucket itself. */
  readonly key: string | null;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Called right before every attempt, after all waiting; what it throws ends the request. */
  readonly guard?: Guard | undefined;
  /**
   * Whether an interruption waits for the answer to an attempt under way: it may have arrived, and
   * has to be told of.
   */
  readonly isDecision?: boolean;
}

export interface S3Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** When R2 answered, by its own clock, milliseconds since 1970. */
  readonly time: number;
}

/** Milliseconds by which a clock may be wrong before R2 refuses its signatures, a little less. */
const SKEW = 10 * 60_000;

export class S3Client {
  private readonly access: ApiAccess;
  private readonly api: CloudflareApi;
  private readonly bucket: string;
  private readonly jurisdiction: string | null;
  /** How far R2's clock is ahead of this machine's, milliseconds, once that mattered. */
  private clockOffset = 0;
  private signer: Promise<AwsClient> | undefined;

  /** @param api who knows the id of the token, and how to wait */
  constructor(
    access: ApiAccess,
    api: CloudflareApi,
    bucket: string,
    jurisdiction: string | null = null,
  ) {
    this.access = access;
    this.api = api;
    this.bucket = bucket;
    this.jurisdiction = jurisdiction;
  }

  /** The answer, 404 and 412 included. @throws CloudflareApiError */
  async send(request: S3Request): Promise<S3Answer> {
    const signal = this.api.signalNow();
    // That question is repeated on its own: when it fails, nothing is left to try.
    const signer = await this.openSigner();
    return repeatPassing(
      () => this.attempt(request, signer, request.isDecision ? undefined : signal),
      (error, count) => {
        return this.api.wait(backoff(count, this.api.clock.random()), error.message, signal);
      },
      signal,
    );
  }

  private async attempt(
    request: S3Request,
    signer: AwsClient,
    interruption?: AbortSignal,
  ): Promise<S3Answer> {
    const { method, body = null } = request;
    const url = this.urlOf(request);
    const now = this.api.clock.now() + this.clockOffset;
    const headers = {
      ...request.headers,
      'x-amz-content-sha256': await sha256(body ?? new Uint8Array()),
    };
    const datetime = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
    const signed = await signer.sign(url, { method, headers, aws: { datetime } });
    request.guard?.();
    const sent = { method, headers: signed.headers, body };
    const { status, bytes, ...received } = await exchange(url, sent, interruption).catch(
      (cause) => {
        throw failure(request, `gave no answer at ${url.origin}`, null, true, cause);
      },
    );
    const time = Date.parse(received.headers.get('date') ?? '');
    const answer = { status, bytes, time };
    if (status >= 200 && status < 300) return answer;
    const code = readCode(answer);
    if (tellsOfObject(request, status, code)) return answer;
    // This machine's clock is wrong: the next attempt goes by R2's.
    const isSkewed = status === 403 && Math.abs(time - now) > SKEW;
    if (isSkewed) this.clockOffset = time - this.api.clock.now();
    const words = `answered ${status}${code === null ? '' : `: ${code}`}`;
    const passing = isSkewed || status === 429 || status >= 500;
    throw failure(request, code === 'NoSuchBucket' ? this.missing : words, status, passing);
  }

  private get missing(): string {
    const { bucket, jurisdiction } = this;
    const [where, option] =
      jurisdiction === null ? ['', ''] : [` in ${jurisdiction}`, ` --jurisdiction ${jurisdiction}`];
    return `has no bucket ${bucket}${where}; create it once: npx wrangler r2 bucket create ${bucket}${option}`;
  }

  private urlOf({ key, query = {} }: S3Request): URL {
    const parts = [this.bucket, ...(key === null ? [] : key.split('/'))];
    const endpoint = r2EndpointIn(this.access, this.jurisdiction);
    const url = new URL(`${endpoint}/${parts.map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** Asks once, for all requests; after a failure the next request asks anew. */
  private openSigner(): Promise<AwsClient> {
    this.signer ??= this.readCredentials().catch((error) => {
      this.signer = undefined;
      throw error;
    });
    return this.signer;
  }

  /** Tokens belong to a user or to an account, and only the right one of two routes knows them. */
  private async readCredentials(): Promise<AwsClient> {
    const purpose = 'tell the id of CLOUDFLARE_API_TOKEN, which R2 wants to know';
    const path = '/tokens/verify';
    const ask = (owner: 'user' | 'account') =>
      this.api.json({ purpose, method: 'GET', path, owner }, tokenSchema);
    const { result } = await ask('user').catch((error: unknown) => {
      if (!(error instanceof CloudflareApiError) || error.passing) throw error;
      return ask('account').catch(() => Promise.reject(error));
    });
    const secretAccessKey = createHash('sha256').update(this.access.token).digest('hex');
    // R2 has one region.
    return new AwsClient({
      accessKeyId: result.id,
      secretAccessKey,
      service: 's3',
      region: 'auto',
    });
  }
}

/** Whether an answer says something of the object instead of failing: not there, there already. */
function tellsOfObject({ method, key }: S3Request, status: number, code: string | null): boolean {
  if (method === 'PUT') return status === 412;
  return status === 404 && key !== null && code !== 'NoSuchBucket';
}

/** The error code in S3's XML; null when there is none, as after HEAD. */
function readCode({ bytes }: S3Answer): string | null {
  const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(new TextDecoder().decode(bytes)) ?? [];
  return code ?? null;
}

function failure(
  { purpose }: S3Request,
  what: string,
  status: number | null,
  passing: boolean,
  cause?: unknown,
): CloudflareApiError {
  return new CloudflareApiError(`R2 did not ${purpose}: it ${what}`, { status, passing, cause });
}
