/**
 * A stand-in of Cloudflare's REST API on loopback: bodies are parsed and stored, limits hold, and
 * it fails in the ways that a test scripts.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../serve.ts';
import { KvStandIn } from './kv-stand-in.ts';
import { R2StandIn } from './r2-stand-in.ts';
import { refuseSignature, refuseXml } from './s3-check.ts';
import { dated, ok, refuse, type StandInAnswer, type StandInRequest } from './stand-in-answer.ts';
import { WorkerStandIn } from './worker-stand-in.ts';

export const STAND_IN_TOKEN = 'stand-in-token-of-forty-characters-00000';
const STAND_IN_ACCOUNT = 'a0'.repeat(16);
/** Public id of the token, which is R2's access key id. */
const STAND_IN_TOKEN_ID = '1d'.repeat(16);
/** The namespaces and the bucket that exist. */
export const SNAPSHOTS_ID = '51'.repeat(16);
export const TOKENS_ID = '70'.repeat(16);
export const BUCKET = 'store-snapshots-staging';

/** Below it the stand-in speaks S3's API. */
const S3_PATH = '/s3';

/** What goes wrong with a request; null: nothing. */
export type Fault =
  /** Another answer; nothing is done. */
  | StandInAnswer
  /** The connection is dropped before anything is done. */
  | 'drop'
  /** Everything is done, then the connection is dropped in the middle of the answer. */
  | 'drop answer'
  /** Everything is done, the answer comes a little late. */
  | 'delay'
  /** No answer ever. */
  | 'silence'
  | null;

export class CloudflareStandIn {
  readonly snapshots = new KvStandIn();
  readonly tokens = new KvStandIn();
  readonly bucket = new R2StandIn();
  /** The Workers that were deployed, by their names. */
  readonly workers = new Map<string, WorkerStandIn>();
  /** Every request in the order of its arrival, the refused ones too. */
  readonly requests: StandInRequest[] = [];
  /** What time its API says it is; buckets have clocks of their own. */
  now: () => number = Date.now;
  /** Called when a request has come that gets no answer. */
  onSilence: () => void = () => {};
  private readonly faults: Fault[] = [];
  /** Stops it. */
  readonly stop: () => void;
  private readonly origin: string;

  private constructor({ origin, close }: Awaited<ReturnType<typeof serve>>) {
    this.origin = origin;
    this.stop = close;
  }

  static async start(): Promise<CloudflareStandIn> {
    const standIn: CloudflareStandIn = new CloudflareStandIn(
      await serve((request, response) => {
        standIn.serve(request, response).catch((error) => {
          response.writeHead(500).end(String(error));
        });
      }),
    );
    return standIn;
  }

  /** The requests that count among the 1,200 in five minutes: all but those in S3's way. */
  get apiRequests(): readonly StandInRequest[] {
    return this.requests.filter(({ path }) => !path.startsWith(`${S3_PATH}/`));
  }

  /** Returns what resets it to what is stored now, and forgets what was asked and scripted. */
  remember(): () => void {
    const { snapshots, tokens, bucket } = this;
    const restores = [
      rememberAll(snapshots.stored),
      rememberAll(tokens.stored),
      rememberAll(bucket.stored),
    ];
    return () => {
      this.reset();
      for (const restore of restores) restore();
    };
  }

  /** Forgets everything that was stored, asked and scripted. */
  reset(): void {
    for (const store of [this.snapshots, this.tokens, this.bucket]) store.reset();
    this.workers.clear();
    this.requests.length = 0;
    this.faults.length = 0;
    this.onSilence = () => {};
    this.now = Date.now;
  }

  /** The variables by which wrangler and our own commands find it. */
  get variables() {
    return {
      CLOUDFLARE_API_TOKEN: STAND_IN_TOKEN,
      CLOUDFLARE_ACCOUNT_ID: STAND_IN_ACCOUNT,
      CLOUDFLARE_API_BASE_URL: `${this.origin}/client/v4`,
      CLOUDFLARE_R2_ENDPOINT: `${this.origin}${S3_PATH}`,
    };
  }

  /** The next requests fail, one for each fault, in this order. */
  failNext(...faults: readonly Fault[]): void {
    this.faults.push(...faults);
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(incoming.url ?? '', 'http://stand-in');
    const body = Buffer.concat(await incoming.toArray());
    const path = pathname.replace(`/client/v4/accounts/${STAND_IN_ACCOUNT}`, '');
    const request = { method: incoming.method ?? '', path, query, body };
    this.requests.push(request);
    const fault = this.faults.shift() ?? null;
    if (fault === 'silence') return this.onSilence();
    if (fault === 'drop') return void response.destroy();
    if (fault === 'delay') await sleep(100);
    const isAnswer = fault !== null && typeof fault === 'object';
    const answer = isAnswer ? fault : await this.answerTo(incoming, request);
    send(response, answer, fault === 'drop answer');
  }

  private async answerTo(
    incoming: IncomingMessage,
    request: StandInRequest,
  ): Promise<StandInAnswer> {
    if (!request.path.startsWith(`${S3_PATH}/`)) {
      return dated(await this.answer(request, incoming.headers), this.now());
    }
    const credentials = { accessKeyId: STAND_IN_TOKEN_ID, token: STAND_IN_TOKEN };
    const [, name = '', key] = /^\/s3\/([^/]+)(?:\/(.+))?$/.exec(request.path) ?? [];
    if (name !== BUCKET) return refuseXml(404, 'NoSuchBucket');
    const { bucket } = this;
    const refusal = await refuseSignature(incoming, request, credentials, bucket.now());
    const answer = refusal ?? bucket.answer(request, key, incoming.headers);
    return dated(answer, bucket.now());
  }

  private async answer(
    request: StandInRequest,
    { authorization, 'content-type': type = '' }: IncomingHttpHeaders,
  ): Promise<StandInAnswer> {
    if (authorization === undefined) return refuse(401, 10_000, 'Authentication error');
    if (authorization !== `Bearer ${STAND_IN_TOKEN}`) {
      return refuse(403, 10_000, `Authentication error: ${authorization}`);
    }
    const [, kvId, kvPath] = /^\/storage\/kv\/namespaces\/([^/]+)(\/.+)$/.exec(request.path) ?? [];
    if (kvId !== undefined && kvPath !== undefined) {
      const namespace = { [SNAPSHOTS_ID]: this.snapshots, [TOKENS_ID]: this.tokens }[kvId];
      if (!namespace) return refuse(404, 10_013, `namespace not found`);
      return namespace.answer({ ...request, path: kvPath });
    }
    const [, name, below] =
      /^\/workers\/(?:scripts|services|workers)\/([^/]+)(\/.+)?$/.exec(request.path) ?? [];
    if (name !== undefined) return this.workerNamed(name).answer(request, below ?? '', type);
    const [, bucket] = /^\/r2\/buckets\/([^/]+)$/.exec(request.path) ?? [];
    if (bucket !== undefined) {
      return bucket === BUCKET ? ok({ name: bucket }) : refuse(404, 10_006, 'no such bucket');
    }
    if (request.path === '/workers/subdomain') return ok({ subdomain: 'shops' });
    if (request.path === '/client/v4/user/tokens/verify') {
      return ok({ id: STAND_IN_TOKEN_ID, status: 'active' });
    }
    return refuse(404, 7003, `Could not route to ${request.path}`);
  }

  private workerNamed(name: string): WorkerStandIn {
    const worker = this.workers.get(name) ?? new WorkerStandIn();
    this.workers.set(name, worker);
    return worker;
  }
}

/** Returns what puts back all that a store holds now. */
function rememberAll<Value>(stored: Map<string, Value>): () => void {
  const kept = [...stored];
  return () => {
    for (const [key, value] of kept) stored.set(key, value);
  };
}

function send(response: ServerResponse, answer: StandInAnswer, isCut: boolean): void {
  const { status, headers = {}, body } = answer;
  if (isCut && body.length === 0) return void response.destroy();
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': body.length,
  });
  if (!isCut) return void response.end(body);
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
