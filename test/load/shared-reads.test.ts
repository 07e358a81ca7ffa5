/** Requests share what is being read; each waits on a promise of its own, and none waits for ever. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SharedReads, type StartReads } from '../../src/load/shared-reads.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';

/** A read that was begun; the test says how it ends. */
interface Read {
  readonly keys: readonly string[];
  /** Brings the value `key/number of the read` for each key. */
  readonly come: () => void;
  readonly fail: () => void;
}

const UNREACHABLE = {
  code: 'storage_unreachable',
  status: 503,
  headers: { 'retry-after': '5' },
};

let shared: SharedReads<string>;
let reads: Read[];
/** Whether there is room for reads. */
let hasRoom: boolean;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  shared = new SharedReads();
  reads = [];
  hasRoom = true;
});

afterEach(() => vi.useRealTimers());

const startReads: StartReads<string> = (keys) => {
  if (!hasRoom) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const number = reads.length;
  reads.push({ keys, come: resolve, fail: () => reject(new Error('KV is down')) });
  return keys.map((key) => promise.then(() => `${key}/${number}`));
};

/** Begins to read `keys` without waiting for it. */
const begin = (...keys: string[]) => shared.start(keys, startReads, new TestContext());

/** Asks for `keys`, and waits for the usual time or so many milliseconds. */
function ask(keys: string[], context = new TestContext(), patience = 5_000) {
  const giveUpAt = Date.now() + patience;
  const load = shared.load(keys, startReads, context, giveUpAt).then(Object.fromEntries);
  // Looked at later in most tests; a failure until then is not unhandled.
  load.catch(() => {});
  return load;
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const come = (number: number) => reads[number]?.come();
const keysRead = () => reads.map(({ keys }) => keys);

/** Fails unless the load goes on for so many milliseconds, and is then told to come again. */
async function expectPatience(load: Promise<unknown>, milliseconds: number): Promise<void> {
  const settled = vi.fn();
  load.catch(settled);
  await pass(milliseconds - 1);
  expect(settled).not.toHaveBeenCalled();
  await pass(1);
  await expect(load).rejects.toMatchObject(UNREACHABLE);
}

describe('a crowd', () => {
  it('fails with its read where it wants what could not be read, and the next to come reads anew', async () => {
    const both = ask(['a', 'b']);
    const other = ask(['b', 'c']);
    const alone = ask(['c']);
    reads[0]?.fail();
    come(1);
    await expect(both).rejects.toThrow('KV is down');
    await expect(other).rejects.toThrow('KV is down');
    expect(await alone).toEqual({ c: 'c/1' });
    const next = ask(['a']);
    come(2);
    expect(await next).toEqual({ a: 'a/2' });
  });
});

describe('a read that takes long', () => {
  it('gets another beside it after a second, which all share', async () => {
    const crowd = Array.from({ length: 20 }, () => ask(['a']));
    await pass(999);
    expect(reads).toHaveLength(1);
    await pass(1);
    expect(reads).toHaveLength(2);
    const latecomer = ask(['a']);
    await pass(500);
    expect(reads).toHaveLength(2);
    come(1);
    for (const load of [...crowd, latecomer]) expect(await load).toEqual({ a: 'a/1' });
    // Too late to matter: no request fails by it.
    reads[0]?.fail();
    await pass(10_000);
  });

  it('is begun again at once by the next request that comes after its second', async () => {
    begin('a');
    await pass(999);
    begin('a');
    expect(reads).toHaveLength(1);
    await pass(1);
    const next = ask(['a']);
    expect(reads).toHaveLength(2);
    come(1);
    expect(await next).toEqual({ a: 'a/1' });
  });

  it('is not begun again by a request that gives up at that moment', async () => {
    await expectPatience(ask(['a'], new TestContext(), 1_000), 1_000);
    expect(reads).toHaveLength(1);
  });

  it('is begun again for what is still missing alone', async () => {
    const load = ask(['a', 'b']);
    const other = ask(['b', 'c']);
    come(1);
    await pass(1_000);
    expect(keysRead()).toEqual([['a', 'b'], ['c'], ['a', 'b']]);
    come(2);
    expect(await load).toEqual({ a: 'a/2', b: 'b/2' });
    expect(await other).toEqual({ b: 'b/2', c: 'c/1' });
  });

  it('fails no request while a newer one is under way', async () => {
    const load = ask(['a']);
    await pass(1_000);
    reads[0]?.fail();
    await pass(100);
    const latecomer = ask(['a']);
    expect(reads).toHaveLength(2);
    come(1);
    expect(await load).toEqual({ a: 'a/1' });
    expect(await latecomer).toEqual({ a: 'a/1' });
  });

  it('is waited for five seconds and no longer, and goes on when no request waits for it', async () => {
    const context = new TestContext();
    const load = ask(['a'], context);
    await expectPatience(load, 5_000);
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
  beforeEach(() => {
    hasRoom = false;
  });

  it('begins soon after there is some', async () => {
    const load = ask(['a']);
    await pass(2_600);
    hasRoom = true;
    await pass(25);
    come(0);
    expect(await load).toEqual({ a: 'a/0' });
  });

  it('does not end the read that is under way for the same key', async () => {
    hasRoom = true;
    const load = ask(['a']);
    hasRoom = false;
    await pass(1_500);
    expect(reads).toHaveLength(1);
    come(0);
    expect(await load).toEqual({ a: 'a/0' });
  });
});

describe('a read whose request was ended', () => {
  const entries = () => [...(shared as unknown as { reads: Map<string, unknown> }).reads.keys()];

  it('leaves no entry behind once its deadline has passed', async () => {
    begin('a', 'b');
    await pass(9_999);
    begin('c');
    expect(entries()).toEqual(['a', 'b', 'c']);
    await pass(1);
    begin('d');
    expect(entries()).toEqual(['c', 'd']);
  });

  it('is kept while reads of it begin again', async () => {
    begin('a', 'b');
    await pass(9_000);
    begin('a');
    await pass(1_000);
    begin('c');
    expect(entries().toSorted()).toEqual(['a', 'c']);
  });
});
