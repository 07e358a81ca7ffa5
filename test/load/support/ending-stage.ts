/** Serves `test/load/support/ending-worker.ts` over published stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveWorker } from '../../support/served-stores.ts';
import type { StorageOrder, StorageReport } from './ending-orders.ts';

/** What a request sends, and when it is ended: see `ending-worker.ts`. */
export interface Ending {
  readonly at?: number;
  readonly after?: number;
  /** Sent in the place of the one that was issued. */
  readonly token?: string;
}

export interface Asked {
  readonly status: number;
  readonly body: string;
  readonly release: string | null;
}

export type EndingStage = Awaited<ReturnType<typeof openEndingStage>>;

export async function openEndingStage() {
  const folder = await mkdtemp(join(tmpdir(), 'ending-'));
  const entry = 'test/load/support/ending-worker.ts';
  const { origin, publish, issue, close } = await serveWorker({ entry, folder, requests: 1e6 });
  const token = await issue();
  return {
    publish,

    /** Asks a service, which is a fresh isolate when it is asked for the first time. */
    async ask(service: string, path: string, ending: Ending = {}): Promise<Asked> {
      const headers = new Headers({
        'x-access-token': ending.token ?? token,
        'x-service': service,
      });
      if (ending.at !== undefined) headers.set('x-ends-at', `${ending.at}`);
      if (ending.after !== undefined) headers.set('x-ends-after', `${ending.after}`);
      const response = await fetch(origin + path, { headers });
      const release = response.headers.get('x-snapshot-release');
      return { status: response.status, body: await response.text(), release };
    },

    /** Sets how the storage of a service behaves; returns what it was asked for so far. */
    async storage(service: string, wanted: StorageOrder = {}): Promise<StorageReport> {
      const body = JSON.stringify(wanted);
      const headers = { 'x-service': service };
      const response = await fetch(`${origin}/storage`, { method: 'POST', headers, body });
      return (await response.json()) as StorageReport;
    },

    async close(): Promise<void> {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
