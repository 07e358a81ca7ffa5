/**
 * The service at its front door, over storage in memory: publish stores, issue a token, send requests.
 *
 * A stage has an env object of its own, so it begins with empty memory, as a fresh isolate does;
 * stages of one test file share storage until `storage.reset()`.
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
import type { Manifest } from '../../../src/snapshot/manifest.ts';
import worker from '../../../src/worker.ts';
import { publish } from '../stores/memory-snapshot.ts';
import { buildStore } from '../stores/store-builder.ts';
import { storage } from './bound-storage.ts';

export const ORIGIN = 'https://stores.test';

/** Where stores are listed. */
export const LIST = '/v2/external/stores';
export const CHANGES = '/v2/external/changes';

/** A circle that has the built stores. */
export const NEAR = 'position.latitude=48&position.longitude=7&position.radius=50';

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

/** A fresh isolate over the bindings of the test and the storage, some of them replaced. */
export function openStage(replaced: Partial<Env> = {}) {
  const env = { ...bindings, ...storage.env, ...replaced } as Env;
  return {
    env,
    /** Sends a request and waits for the work behind its answer too. */
    async request(path: string, { token, ...init }: RequestOptions = {}): Promise<Response> {
      const headers = new Headers(init.headers);
      if (token !== undefined) headers.set('x-access-token', token);
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
  publishedAt?: string,
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

/** Before each test: what the service logs is remembered, and not printed. */
export function watchLog(): void {
  log = vi.spyOn(console, 'log').mockImplementation(() => {});
  errors = vi.spyOn(console, 'error').mockImplementation(() => {});
}

const parsed = ({ mock }: typeof log): Record<string, unknown>[] =>
  mock.calls.map(([line]) => JSON.parse(String(line)));

/** What requests of the test were logged with. */
export const loggedLines = () => parsed(log);

/** The faults of the service that were logged in the test. */
export const loggedFaults = () => parsed(errors);

/** A limiter that lets every request pass, or none. */
export const limiter = (success: boolean): RateLimit => ({ limit: async () => ({ success }) });

/** Publishes `stores`; returns the manifest. */
export async function publishStores(
  stores: Iterable<SourceStore>,
  publishedAt?: string,
): Promise<Manifest> {
  return (await publish(storage.values, stores, publishedAt)).pointer.manifest;
}

/** Issues a token of `environment` and returns it; its record may be given in parts. */
export async function issueToken(
  record: Partial<TokenRecord> = {},
  environment: Environment = 'development',
): Promise<string> {
  const token = generateToken(environment);
  await storeToken(token, record);
  return token;
}

/** Stores a token, as it is stored when it is issued. */
export async function storeToken(token: string, record: Partial<TokenRecord> = {}): Promise<void> {
  storage.write(tokenKey(await hashToken(token)), { ...TOKEN_RECORD, ...record });
}
