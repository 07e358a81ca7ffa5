/**
 * The service at its front door, over the real bindings of the local runtime: publish stores,
 * issue a token, send requests.
 *
 * A stage has an env object of its own, so it begins with empty memory, as a fresh isolate does;
 * stages of one test file share storage until `reset()` of `cloudflare:test`.
 */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { type MockInstance, vi } from 'vitest';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { generateToken } from '../../../scripts/token/new-token.ts';
import { type Environment, hashToken, tokenKey } from '../../../src/auth/token.ts';
import {
  READ_STORES,
  TOKEN_RECORD_VERSION,
  type TokenRecord,
} from '../../../src/auth/token-record.ts';
import { POINTER_KEY } from '../../../src/snapshot/keys.ts';
import type { Manifest } from '../../../src/snapshot/manifest.ts';
import { sealJson } from '../../../src/storage/sealed-json.ts';
import worker from '../../../src/worker.ts';
import { compileValues, decodePointer, valueInKv } from '../stores/memory-snapshot.ts';
import { buildStore } from '../stores/store-builder.ts';

export const ORIGIN = 'https://stores.test';

/** Where stores are listed. */
export const LIST = '/v2/external/stores';
export const CHANGES = '/v2/external/changes';

/** A circle that has the built stores. */
export const NEAR = 'position.latitude=48&position.longitude=7&position.radius=50';

/** When stores are published unless a test says otherwise: the Last-Modified of answers. */
export const PUBLISHED_AT = '2026-02-03T04:05:06.000Z';

/** The record of a token that may read stores. */
export const TOKEN_RECORD: TokenRecord = {
  version: TOKEN_RECORD_VERSION,
  partner: 'Vélo & Co',
  scopes: [READ_STORES],
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: null,
  revokedAt: null,
  utm: null,
};

export interface RequestOptions extends RequestInit {
  /** Sent as x-access-token. */
  readonly token?: string;
}

export type Stage = ReturnType<typeof openStage>;

/** A fresh isolate over the bindings of the test, some of them replaced. */
export function openStage(replaced: Partial<Env> = {}) {
  const env = { ...bindings, ...replaced } as Env;
  const address = newAddress();
  return {
    env,
    /** Sends a request and waits for the work behind its answer too. */
    async request(path: string, { token, ...init }: RequestOptions = {}): Promise<Response> {
      const headers = new Headers(init.headers);
      if (token !== undefined) headers.set('x-access-token', token);
      if (!headers.has('cf-connecting-ip')) headers.set('cf-connecting-ip', address);
      const context = createExecutionContext();
      const request = new Request(ORIGIN + path, { redirect: 'manual', ...init, headers });
      const response = await worker.fetch(request, env, context);
      await waitOnExecutionContext(context);
      return response;
    },
  };
}

/** Publishes `stores`, and opens a stage; what is asked comes with a token of its own. */
export async function openService(
  stores: Iterable<SourceStore> = [buildStore()],
  publishedAt = PUBLISHED_AT,
) {
  const { release } = await publishStores(stores, publishedAt);
  const token = await issueToken();
  const stage = openStage();
  const ask = (path: string, options: RequestOptions = {}) =>
    stage.request(path, { token, ...options });
  return { release, stage, token, ask };
}

let log: MockInstance<typeof console.log>;
let errors: MockInstance<typeof console.error>;

/** From now on what is logged is remembered, to the end of the test. */
export function watchLog(): void {
  log = vi.spyOn(console, 'log');
  errors = vi.spyOn(console, 'error');
}

const parsed = ({ mock }: typeof log): Record<string, unknown>[] =>
  mock.calls.map(([line]) => JSON.parse(String(line)));

/** What requests were logged with since `watchLog`. */
export const loggedLines = () => parsed(log);

/** The faults of the service that were logged since `watchLog`. */
export const loggedFaults = () => parsed(errors);

/** A limiter that lets every request pass, or none. */
export const limiter = (success: boolean): RateLimit => ({ limit: async () => ({ success }) });

/** An address by which no other stage is counted. */
function newAddress(): string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint16Array(2));
  return `2001:db8:${high.toString(16)}:${low.toString(16)}::1`;
}

/** Publishes `stores` to KV, as the publisher does: objects, manifest, then the pointer. */
export async function publishStores(
  stores: Iterable<SourceStore>,
  publishedAt = PUBLISHED_AT,
): Promise<Manifest> {
  const before = decodePointer(await bindings.SNAPSHOTS.get(POINTER_KEY, 'arrayBuffer'));
  const { manifest, values } = await compileValues(stores, publishedAt, before);
  for (const [key, value] of values) await bindings.SNAPSHOTS.put(key, valueInKv(key, value));
  return manifest;
}

/** Issues a token of `environment` and returns it; its record may be given in parts. */
export async function issueToken(
  record: Partial<TokenRecord> = {},
  environment: Environment = 'development',
): Promise<string> {
  const token = generateToken(environment);
  await bindings.TOKENS.put(...(await tokenEntry(token, record)));
  return token;
}

/** Key and value of a token in KV. */
export async function tokenEntry(
  token: string,
  record: Partial<TokenRecord> = {},
): Promise<[key: string, value: string]> {
  return [tokenKey(await hashToken(token)), sealJson({ ...TOKEN_RECORD, ...record })];
}
