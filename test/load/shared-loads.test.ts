/** Requests share what is being read; each waits on a promise of its own, and none waits for ever. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Background } from '../../src/load/background.ts';
import { type BeginReads, SharedLoads } from '../../src/load/shared-loads.ts';
import { TestBackground } from '../support/stores/memory-snapshot.ts';

/** A read that was begun; the test says how it ends. */
interface Read {
  readonly keys: readonly string[];
  readonly by: Background;
  readonly resolve: (values: Record<string, string>) => void;
  readonly reject: (error: Error) => void;
}

let loads: SharedLoads<string>;
let reads: Read[];
/** What memory has. */
let held: Map<string, string>;
/** Whether there is room for reads; who waits for it is to be woken by these. */
let hasRoom: boolean;
let wakes: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  held = new Map();
  loads = new SharedLoads((key) => held.get(key));
  reads = [];
  hasRoom = true;
  wakes = [];
});

afterEach(() => vi.useRealTimers());

/** Asks for `keys`, and waits for the usual time or so many milliseconds. */
function ask(keys: string[], background = new TestBackground(), patience?: number) {
  const begin: BeginReads<string> = (wanted, wake) => {
    if (!hasRoom) {
      wakes.push(wake);
      return null;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, string>>();
    reads.push({ keys: wanted, by: background, resolve, reject });
    return new Map(
      wanted.map((key) => [key, promise.then((values) => values[key] as string)] as const),
    );
  };
  const load = loads.load(keys, begin, background, patience);
  // Looked at later in most tests; a failure until then is not unhandled.
  load.catch(() => {});
  return load;
}

const keysRead = () => reads.map(({ keys }) => keys);

describe('a crowd', () => {
  it('waits for one read', async () => {
    const crowd = Array.from({ length: 50 }, () => ask(['a']));
    expect(keysRead()).toEqual([['a']]);
    reads[0]?.resolve({ a: 'A' });
    for (const load of crowd) expect(await load).toEqual(new Map([['a', 'A']]));
    ask(['a']);
    expect(keysRead()).toEqual([['a'], ['a']]);
  });

  it('fails with its read, and the next to come reads anew', async () => {
    const crowd = Array.from({ length: 3 }, () => ask(['a']));
    reads[0]?.reject(new Error('KV is down'));
    for (const load of crowd) await expect(load).rejects.toThrow('KV is down');
    const next = ask(['a']);
    reads[1]?.resolve({ a: 'A' });
    expect((await next).get('a')).toBe('A');
  });

  it('fails for those alone who want what could not be read', async () => {
    const both = ask(['a', 'b']);
    const other = ask(['b', 'c']);
    const alone = ask(['c']);
    reads[0]?.reject(new Error('KV is down'));
    reads[1]?.resolve({ c: 'C' });
    await expect(both).rejects.toThrow('KV is down');
    await expect(other).rejects.toThrow('KV is down');
    expect((await alone).get('c')).toBe('C');
  });

  it('does not hang on a read that could not even be begun', async () => {
    const begin = () => {
      throw new Error('no context');
    };
    const background = new TestBackground();
    await expect(loads.load(['a'], begin, background)).rejects.toThrow('no context');
    const next = ask(['a']);
    reads[0]?.resolve({ a: 'A' });
    expect((await next).get('a')).toBe('A');
  });
});

describe('a read that takes long', () => {
  it('gets another beside it after a second, which all share', async () => {
    const crowd = Array.from({ length: 20 }, () => ask(['a']));
    await vi.advanceTimersByTimeAsync(999);
    expect(reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(reads).toHaveLength(2);
    const latecomer = ask(['a']);
    await vi.advanceTimersByTimeAsync(500);
    expect(reads).toHaveLength(2);
    reads[1]?.resolve({ a: 'second' });
    for (const load of [...crowd, latecomer]) expect((await load).get('a')).toBe('second');
    // Too late to matter: no request fails by it.
    reads[0]?.reject(new Error('KV is down'));
    await vi.advanceTimersByTimeAsync(10_000);
  });

  it('is begun again at once by the next request that comes after its second', async () => {
    const ended = new TestBackground();
    ask(['a'], ended, 500);
    await vi.advanceTimersByTimeAsync(999);
    ask(['a'], ended, 0);
    expect(reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    const next = ask(['a']);
    expect(reads).toHaveLength(2);
    reads[1]?.resolve({ a: 'A' });
    expect((await next).get('a')).toBe('A');
  });

  it('is not begun again by a request that gives up at that moment', async () => {
    const load = ask(['a'], new TestBackground(), 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(load).rejects.toMatchObject({ code: 'storage_unreachable' });
    expect(reads).toHaveLength(1);
  });

  it('is begun again for what is still missing alone', async () => {
    const load = ask(['a', 'b']);
    const other = ask(['b', 'c']);
    reads[1]?.resolve({ c: 'C' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keysRead()).toEqual([['a', 'b'], ['c'], ['a', 'b']]);
    reads[2]?.resolve({ a: 'A', b: 'B' });
    expect(Object.fromEntries(await load)).toEqual({ a: 'A', b: 'B' });
    expect(Object.fromEntries(await other)).toEqual({ b: 'B', c: 'C' });
  });

  it('counts where it comes before the newer one', async () => {
    const load = ask(['a']);
    await vi.advanceTimersByTimeAsync(1_500);
    reads[0]?.resolve({ a: 'first' });
    expect((await load).get('a')).toBe('first');
    reads[1]?.resolve({ a: 'second' });
    expect((await load).get('a')).toBe('first');
  });

  it('fails no request while a newer one is under way', async () => {
    const load = ask(['a']);
    await vi.advanceTimersByTimeAsync(1_000);
    reads[0]?.reject(new Error('KV is down'));
    await vi.advanceTimersByTimeAsync(100);
    const latecomer = ask(['a']);
    expect(reads).toHaveLength(2);
    reads[1]?.resolve({ a: 'A' });
    expect((await load).get('a')).toBe('A');
    expect((await latecomer).get('a')).toBe('A');
  });

  it('is waited for five seconds and no longer', async () => {
    const load = ask(['a']);
    await vi.advanceTimersByTimeAsync(3_000);
    const latecomer = ask(['a']);
    await vi.advanceTimersByTimeAsync(1_999);
    const settled = vi.fn();
    load.catch(settled);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(load).rejects.toMatchObject({
      code: 'storage_unreachable',
      status: 503,
      headers: { 'retry-after': '5' },
    });
    reads.at(-1)?.resolve({ a: 'A' });
    expect((await latecomer).get('a')).toBe('A');
  });

  it('goes on when no request waits for it any more', async () => {
    const background = new TestBackground();
    const load = ask(['a'], background);
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(load).rejects.toMatchObject({ code: 'storage_unreachable' });
    const done = vi.fn();
    Promise.all(background.deferred).then(done);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).not.toHaveBeenCalled();
    for (const read of reads) read.resolve({ a: 'A' });
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toHaveBeenCalled();
  });
});

describe('a read for which there is no room', () => {
  beforeEach(() => {
    hasRoom = false;
  });

  it('begins when its request is woken', async () => {
    const load = ask(['a']);
    hasRoom = true;
    expect(reads).toHaveLength(0);
    for (const wake of wakes) wake();
    await vi.advanceTimersByTimeAsync(0);
    reads[0]?.resolve({ a: 'A' });
    expect((await load).get('a')).toBe('A');
  });

  it('begins within a quarter of a second where nothing wakes its request', async () => {
    const load = ask(['a']);
    await vi.advanceTimersByTimeAsync(2_600);
    hasRoom = true;
    await vi.advanceTimersByTimeAsync(250);
    reads[0]?.resolve({ a: 'A' });
    expect((await load).get('a')).toBe('A');
  });

  it('is a 503 when patience ends, and never begins', async () => {
    const background = new TestBackground();
    const load = ask(['a'], background);
    await vi.advanceTimersByTimeAsync(4_999);
    const settled = vi.fn();
    load.catch(settled);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(load).rejects.toMatchObject({ code: 'storage_unreachable', status: 503 });
    hasRoom = true;
    for (const wake of wakes) wake();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toHaveLength(0);
    expect(background.deferred).toHaveLength(0);
  });

  it('does not end the read that is under way for the same key', async () => {
    hasRoom = true;
    const load = ask(['a']);
    hasRoom = false;
    await vi.advanceTimersByTimeAsync(1_500);
    expect(reads).toHaveLength(1);
    reads[0]?.resolve({ a: 'A' });
    expect((await load).get('a')).toBe('A');
  });
});

describe('a load whose request was ended', () => {
  it('leaves no entry behind once its deadline has passed', async () => {
    for (const key of ['a', 'b']) ask([key], new TestBackground(), 0);
    await vi.advanceTimersByTimeAsync(9_999);
    ask(['c'], new TestBackground(), 0);
    expect(entries()).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(1);
    ask(['d'], new TestBackground(), 0);
    expect(entries()).toEqual(['c', 'd']);
  });

  it('is kept while reads of it begin again', async () => {
    ask(['a'], new TestBackground(), 0);
    ask(['b'], new TestBackground(), 0);
    await vi.advanceTimersByTimeAsync(9_000);
    ask(['a'], new TestBackground(), 0);
    await vi.advanceTimersByTimeAsync(1_000);
    ask(['c'], new TestBackground(), 0);
    expect(entries()).toEqual(['a', 'c']);
  });
});

/** What is under way, in the order in which the newest reads began. */
const entries = () => [...(loads as unknown as { loads: Map<string, unknown> }).loads.keys()];
