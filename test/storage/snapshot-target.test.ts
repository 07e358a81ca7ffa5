import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPlatform, type Platform } from '../../scripts/storage/environment.ts';
import {
  forEachInFlight,
  type KeyValueStore,
  type Ledger,
  listKeys,
} from '../../scripts/storage/key-value-store.ts';
import { LocalKv, LocalR2, retryBusy } from '../../scripts/storage/local-storage.ts';
import { chooseTarget } from '../../scripts/storage/open-target.ts';
import { openKv, openR2, openStandIn } from '../support/cloudflare/stage.ts';
import { commandContext } from '../support/command-context.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { describeLedger, describeStore } from '../support/target-contract.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const standIn = await openStandIn();
const folder = temporaryFolder();
let platform: Platform;

beforeAll(async () => {
  vi.stubEnv('STORE_DIRECTORY_STATE', folder);
  platform = await openPlatform('staging');
});

afterAll(() => platform.dispose());

/** What a binding lists at once unless it is asked for fewer, and Cloudflare's API. */
const PAGE = 1_000;
/** Local storage is asked for fewer: every key takes it milliseconds to write. */
const SHORT_PAGE = 20;

const STORES: readonly (readonly [string, () => KeyValueStore, number])[] = [
  ['memory', () => new MemoryTarget().objects, PAGE],
  ['local KV', () => new LocalKv(withShortPages(platform.env.SNAPSHOTS)), SHORT_PAGE],
  ['remote KV', () => openKv(standIn), PAGE],
];

const LEDGERS: readonly (readonly [string, () => Ledger, number])[] = [
  ['memory of a ledger', () => new MemoryTarget().ledger, PAGE],
  ['local R2', () => new LocalR2(withShortPages(platform.env.SNAPSHOT_BUCKET)), SHORT_PAGE],
  ['remote R2', () => openR2(standIn), PAGE],
];

/** The same binding, which lists a short page at once. */
function withShortPages<T extends KVNamespace | R2Bucket>(binding: T): T {
  const list = (options: object) => binding.list({ ...options, limit: SHORT_PAGE });
  return new Proxy(binding, {
    get: (_, name) => (name === 'list' ? list : Reflect.get(binding, name)),
  });
}

for (const [name, open, page] of [...STORES, ...LEDGERS]) describeStore(name, open, page);
for (const [name, open] of LEDGERS) describeLedger(name, open);

describe('the storage of an environment', () => {
  it('is the one that SNAPSHOT_STORE names', () => {
    const { SNAPSHOTS, SNAPSHOT_BUCKET } = platform.env;
    const choose = (SNAPSHOT_STORE: string) =>
      chooseTarget('staging', { SNAPSHOT_STORE, SNAPSHOTS, SNAPSHOT_BUCKET }, commandContext());
    expect(choose('kv').objects).toBeInstanceOf(LocalKv);
    expect(choose('r2').objects).toBeInstanceOf(LocalR2);
    expect(choose('kv').ledger).toBeInstanceOf(LocalR2);
    expect(choose('r2').site).toEqual({ environment: 'staging', place: 'r2 of this machine' });
    expect(() => choose('disk')).toThrow('got "disk", expected kv or r2');
  });

  it('is shared by writers that keep each other waiting, in KV and in R2', async () => {
    const other = await openPlatform('staging');
    try {
      for (const store of ['kv', 'r2']) {
        const targets = [platform, other].map(({ env }) =>
          chooseTarget('staging', { ...env, SNAPSHOT_STORE: store }, commandContext()),
        );
        const keys = Array.from({ length: 30 }, (_, index) => `shared/${index}`);
        await Promise.all(
          targets.map(({ objects }) =>
            forEachInFlight(keys, 16, (key) => objects.put(key, new TextEncoder().encode(key))),
          ),
        );
        for (const { objects } of targets) {
          expect((await listKeys(objects, 'shared/')).sort()).toEqual(keys.sort());
        }
      }
    } finally {
      await other.dispose();
    }
  });

  const CLOSED = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });

  it.each<[Error, number]>([
    [new Error('KV PUT failed: 500 Internal Server Error'), 3],
    [new Error('put: Unspecified error (0)'), 3],
    [new Error('internal error: SQLITE_BUSY: database is locked'), 3],
    [new Error('Network connection lost.'), 3],
    [new TypeError('fetch failed', { cause: CLOSED }), 3],
    [new Error('disk full'), 1],
  ])('which answers "%s" twice is asked %i times', async (error, times) => {
    const operation = vi.fn<() => Promise<string>>();
    operation.mockRejectedValueOnce(error).mockRejectedValueOnce(error).mockResolvedValue('done');
    expect(await retryBusy(operation).catch((reason) => reason)).toBe(times === 1 ? error : 'done');
    expect(operation).toHaveBeenCalledTimes(times);
  });
});
