/** Requests share what is being read; each waits on a promise of its own, and none waits for ever. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { SealedDocuments } from '../../src/load/sealed-document.ts';
import { SharedReads, type StartReads } from '../../src/load/shared-reads.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';
import { WatchedStorage } from '../support/watched-storage.ts';
import { simulateTime } from './support/simulated-time.ts';

/** A read that was begun; the test says how it ends. */
interface Read {
  readonly keys: readonly string[];
  /** Brings the value `key/number of the read` for each key. */
  readonly come: () => void;
  readonly fail: () => void;
}

const pass = simulateTime();
let shared: SharedReads<string>;
let reads: Read[];
/** Whether there is room for reads. */
let hasRoom: boolean;

beforeEach(() => {
  shared = new SharedReads();
  reads = [];
  hasRoom = true;
});

const startReads: StartReads<string> = (keys) => {
  if (!hasRoom) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const number = reads.length;
  reads.push({ keys, come: resolve, fail: () => reject(new Error('KV is down')) });
  return keys.map((key) => promise.then(() => `${key}/${number}`));
};

/** Begins to read `keys` without waiting for it. */
const begin = (...keys: string[]) => shared.start(keys, startReads, new TestContext());

/** Asks for `keys`. */
function ask(keys: string[], context = new TestContext()) {
  const load = shared.load(keys, startReads, context, Date.now() + 5_000).then(Object.fromEntries);
  // Looked at later in most tests; a failure until then is not unhandled.
  load.catch(() => {});
  return load;
}

const come = (number: number) => reads[number]?.come();

describe('a read that takes long', () => {
  it('gets another beside it after a second, which all share, and fails none of them', async () => {
    const crowd = Array.from({ length: 20 }, () => ask(['a']));
    await pass(999);
    expect(reads).toHaveLength(1);
    await pass(1);
    expect(reads).toHaveLength(2);
    reads[0]?.fail();
    await pass(500);
    const latecomer = ask(['a']);
    expect(reads).toHaveLength(2);
    come(1);
    for (const load of [...crowd, latecomer]) expect(await load).toEqual({ a: 'a/1' });
  });

  it('is begun again for what is still missing alone', async () => {
    const load = ask(['a', 'b']);
    const other = ask(['b', 'c']);
    come(1);
    await pass(1_000);
    expect(reads.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c'], ['a', 'b']]);
    come(2);
    expect(await load).toEqual({ a: 'a/2', b: 'b/2' });
    expect(await other).toEqual({ b: 'b/2', c: 'c/1' });
  });

  it('is waited for five seconds and no longer, and goes on when no request waits for it', async () => {
    const context = new TestContext();
    const load = ask(['a'], context);
    const settled = vi.fn();
    load.catch(settled);
    await pass(4_999);
    expect(settled).not.toHaveBeenCalled();
    await pass(1);
    await expect(load).rejects.toMatchObject({
      code: 'storage_unreachable',
      status: 503,
      headers: { 'retry-after': '5' },
    });
    // One each second; none is begun by a request that gives up at that moment.
    expect(reads).toHaveLength(5);
    const done = vi.fn();
    Promise.all(context.deferred).then(done);
    await pass(1_000);
    expect(done).not.toHaveBeenCalled();
    for (const read of reads) read.come();
    await pass(0);
    expect(done).toHaveBeenCalled();
  });
});

describe('a read for which there is no room', () => {
  it('begins soon after there is some', async () => {
    hasRoom = false;
    const load = ask(['a']);
    await pass(2_600);
    hasRoom = true;
    await pass(25);
    come(0);
    expect(await load).toEqual({ a: 'a/0' });
  });

  it('does not end the read that is under way for the same key', async () => {
    const load = ask(['a']);
    hasRoom = false;
    await pass(1_500);
    expect(reads).toHaveLength(1);
    come(0);
    expect(await load).toEqual({ a: 'a/0' });
  });
});

it('a read whose request was ended leaves no entry behind once the deadline of its last try has passed', async () => {
  const entries = () => ['a', 'b', 'c', 'd'].filter((key) => shared.has(key));
  begin('a', 'b');
  await pass(9_000);
  begin('a');
  await pass(999);
  begin('c');
  expect(entries()).toEqual(['a', 'b', 'c']);
  await pass(1);
  begin('d');
  expect(entries()).toEqual(['a', 'c', 'd']);
});

it('a read of a document that comes late does not put an older one in the place of a newer one', async () => {
  const storage = new WatchedStorage();
  const write = (ran: number) => storage.write('run', { format: FORMAT_VERSION, ran });
  const documents = new SealedDocuments(storage.source, z.object({ ran: z.int() }), 30_000, '');
  storage.begin({ hangs: true });
  const first = documents.find('run', new TestContext());
  // It has not come after a second: the request that waits begins another read.
  await pass(1_000);
  const [old, next] = await storage.waitForReads(2);
  write(2);
  next?.finish();
  expect(await first).toEqual({ ran: 2 });
  write(1);
  old?.finish();
  await pass(0);
  storage.end();
  expect(await documents.find('run', new TestContext())).toEqual({ ran: 2 });
});
