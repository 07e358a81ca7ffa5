import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  forEachInFlight,
  type KeyValueStore,
  type Ledger,
  listKeys,
} from '../../scripts/storage/key-value-store.ts';
import { LocalKv, LocalR2, retryBusy } from '../../scripts/storage/local-storage.ts';
import { openLocal, openPlatform } from '../../scripts/storage/open-target.ts';
import { setUp } from '../support/cloudflare/remote-config.ts';
import { openKv, openR2, openStandIn } from '../support/cloudflare/stage.ts';
import { commandContext } from '../support/command-context.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { describeLedger, describeStore } from '../support/target-contract.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const standIn = await openStandIn();
const folder = temporaryFolder();
let platform: Awaited<ReturnType<typeof openPlatform>>;

beforeAll(async () => {
  vi.stubEnv('STORE_DIRECTORY_STATE', folder);
  platform = await openPlatform('staging');
});

afterAll(() => platform.dispose());

/** What a binding lists at once unless it is asked for fewer, and Cloudflare's API. */
const PAGE = 1_000;
/** Local storage is asked for fewer, and Cloudflare's bucket lists fewer: each key is a request that takes milliseconds. */
const SHORT_PAGE = 10;

standIn.bucket.pageLength = SHORT_PAGE;

const STORES: readonly (readonly [string, () => KeyValueStore, number])[] = [
  ['memory', () => new MemoryTarget().objects, PAGE],
  ['local KV', () => new LocalKv(withShortPages(platform.env.SNAPSHOTS)), SHORT_PAGE],
  ['remote KV', () => openKv(standIn), PAGE],
];

const LEDGERS: readonly (readonly [string, () => Ledger, number])[] = [
  ['memory of a ledger', () => new MemoryTarget().ledger, PAGE],
  ['local R2', () => new LocalR2(withShortPages(platform.env.SNAPSHOT_BUCKET)), SHORT_PAGE],
  ['remote R2', () => openR2(standIn), SHORT_PAGE],
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
  it('is R2 alone where SNAPSHOT_STORE says so', async () => {
    const { STORE_DIRECTORY_CONFIG: file } = await setUp(standIn, folder, 'r2');
    vi.stubEnv('STORE_DIRECTORY_CONFIG', file);
    await using storage = await openLocal('staging', commandContext());
    vi.stubEnv('STORE_DIRECTORY_CONFIG', undefined);
    const { objects, ledger, site } = storage.target;
    for (const part of [objects, ledger]) expect(part).toBeInstanceOf(LocalR2);
    expect(site).toEqual({ environment: 'staging', place: 'r2 of this machine' });
  });

  it('is KV, with a ledger in R2, else, and shared by writers that keep each other waiting', async () => {
    await using storage = await openLocal('staging', commandContext());
    const { objects, ledger, site } = storage.target;
    expect(site).toEqual({ environment: 'staging', place: 'kv of this machine' });
    const { SNAPSHOTS, SNAPSHOT_BUCKET } = platform.env;
    for (const stores of [
      [objects, new LocalKv(SNAPSHOTS)],
      [ledger, new LocalR2(SNAPSHOT_BUCKET)],
    ]) {
      const keys = Array.from({ length: 12 }, (_, index) => `shared/${index}`);
      await Promise.all(
        stores.map((store) =>
          forEachInFlight(keys, 12, (key) => store.put(key, new TextEncoder().encode(key))),
        ),
      );
      for (const store of stores) {
        expect((await listKeys(store, 'shared/')).sort()).toEqual(keys.sort());
      }
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
