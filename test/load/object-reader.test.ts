/** How objects are read: in which groups, within which room, and how they are checked. */
import { describe, expect, it, vi } from 'vitest';
import { ObjectReader, type WantedObject } from '../../src/load/object-reader.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import { objectHash } from '../../src/snapshot/manifest.ts';
import { GENERATION, TestContext } from '../support/stores/memory-snapshot.ts';
import { WatchedStorage } from '../support/watched-storage.ts';
import { simulateTime } from './support/simulated-time.ts';

const MIB = 1024 * 1024;
const MAX_BYTES = 12 * MIB;

// No deadline ends because the machine is busy.
const pass = simulateTime();

/** A reader over storage with objects of these lengths in bytes. */
async function open(...lengths: number[]) {
  const storage = new WatchedStorage();
  const { source } = storage;
  const refs: WantedObject[] = [];
  for (const [index, bytes] of lengths.entries()) {
    const object = new Uint8Array(bytes).fill(index + 1);
    const hash = await objectHash(object);
    storage.values.set(objectKey(GENERATION, hash), object);
    refs.push({ generation: GENERATION, hash, bytes, what: `part ${index}` });
  }
  const { mock } = vi.spyOn(source, 'readObjects');
  const groups = () => mock.calls.map(([objects]) => objects.length);
  const context = new TestContext();
  const reader = new ObjectReader(source, MAX_BYTES);
  const read = async (wanted: readonly WantedObject[]) => {
    const reads = reader.read(wanted, context) ?? [];
    return (await Promise.all(reads)).map((buffer) => new Uint8Array(buffer));
  };
  /** Begins to read one object; undefined when there is no room for it. */
  const begin = (index: number, request = context) =>
    reader.read(refs.slice(index, index + 1), request)?.[0];
  const keyOf = (index: number) => objectKey(GENERATION, refs[index]?.hash ?? '');
  return { storage, mock, refs, groups, context, read, begin, keyOf };
}

describe('groups', () => {
  it('hold a hundred keys at the most', async () => {
    const { refs, groups, read, context } = await open(...Array(250).fill(8));
    const objects = await read(refs);
    expect(objects.map(([first]) => first)).toEqual(refs.map((_, index) => (index + 1) % 256));
    expect(groups()).toEqual([100, 100, 50]);
    const { waited: _, ...cost } = context.storage;
    expect(cost).toEqual({ reads: 3, keys: 250, bytes: 250 * 8 });
  });

  it('hold one mebibyte at the most, but for one object that is larger', async () => {
    const { refs, groups, read } = await open(0.75 * MIB, 0.25 * MIB, 8, 1.25 * MIB, 8, 8);
    await read(refs);
    expect(groups()).toEqual([2, 1, 1, 2]);
  });
});

describe('the bytes under way', () => {
  it('go first to the request that gives up first, until it has ended: small reads keep no large one out', async () => {
    const { storage, begin, context } = await open(8 * MIB, 3 * MIB, 3 * MIB, 3 * MIB);
    const early = Object.create(context, { giveUpAt: { value: context.giveUpAt - 1 } });
    storage.begin({ hangs: true });
    const small = [begin(1), begin(2)];
    expect(begin(0, early)).toBeUndefined();
    // There is room for a small one, but none beside the large one.
    expect(begin(3)).toBeUndefined();
    // A request that asks no more has ended.
    vi.advanceTimersByTime(100);
    expect(begin(3)).toBeDefined();
    expect(begin(0, early)).toBeUndefined();
    for (const read of small) {
      expect(begin(1)).toBeUndefined();
      storage.held[0]?.finish();
      await read;
    }
    expect(begin(0, early)).toBeDefined();
    storage.letGo();
  });

  it('are that of one larger object alone', async () => {
    const { storage, begin } = await open(13 * MIB, 1);
    storage.begin({ hangs: true });
    const large = begin(0);
    expect(begin(1)).toBeUndefined();
    storage.letGo();
    await large;
    storage.begin({ hangs: true });
    expect(begin(1)).toBeDefined();
    expect(begin(0)).toBeUndefined();
    storage.letGo();
  });

  it('count no longer once their read has failed', async () => {
    const { storage, begin } = await open(8 * MIB, 8 * MIB);
    storage.begin({ fails: true });
    const failure = begin(0);
    expect(begin(1)).toBeUndefined();
    await expect(failure).rejects.toMatchObject({ code: 'storage_unreachable' });
    storage.end();
    expect((await begin(1))?.byteLength).toBe(8 * MIB);
  });

  it('count as long as their request lives, and a second longer', async () => {
    const { storage, begin, context } = await open(8 * MIB, 8 * MIB);
    storage.begin({ hangs: true });
    begin(0);
    await pass(9_000);
    // One request that asks twice: when it gives up stays the same.
    const waiting = Object.create(context, { giveUpAt: { value: context.giveUpAt } });
    expect(begin(1, waiting)).toBeUndefined();
    // The timers of a request that is ended go with it.
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 1_000);
    expect(begin(1, waiting)).toBeDefined();
    // It comes after all: its bytes are not taken off twice.
    storage.held[0]?.finish();
    await new Promise(setImmediate);
    expect(begin(0)).toBeUndefined();
    storage.letGo();
  });
});

describe('an object', () => {
  it.each<[string, Uint8Array | null]>([
    ['missing', null],
    ['cut short', new Uint8Array(7).fill(2)],
    ['damaged at its right length', new Uint8Array(8).fill(3)],
  ])('that is %s is asked for again, past every cache, and it alone', async (_, bad) => {
    const { storage, mock, refs, read, keyOf } = await open(8, 8, 8);
    const good = storage.values.get(keyOf(1)) as Uint8Array;
    if (bad) storage.values.set(keyOf(1), bad);
    else storage.values.delete(keyOf(1));
    storage.begin({ hangs: true });
    const objects = read(refs);
    (await storage.waitForReads(1))[0]?.finish();
    const [again] = await storage.waitForReads(1);
    expect(again?.keys).toEqual([keyOf(1)]);
    storage.values.set(keyOf(1), good);
    storage.letGo();
    expect(await objects).toEqual([1, 2, 3].map((value) => new Uint8Array(8).fill(value)));
    expect(mock.lastCall?.[1]).toBe('retry');
  });

  it('that stays damaged or missing is a 503, whose cause names it', async () => {
    const { storage, refs, read, keyOf } = await open(8);
    const name = `part 0 (${keyOf(0)})`;
    for (const [bad, message] of [
      [new Uint8Array(8), `${name} hash: got `],
      [new Uint8Array(7), `${name} length: got 7, expected 8`],
      [null, `${name} is missing`],
    ] as const) {
      if (bad) storage.values.set(keyOf(0), bad);
      else storage.values.clear();
      await expect(read(refs)).rejects.toMatchObject({
        code: 'storage_unreachable',
        cause: { message: expect.stringContaining(message) },
      });
    }
  });

  it('that never comes is given up after ten seconds', async () => {
    const { storage, refs, read } = await open(8);
    storage.begin({ hangs: true });
    const failure = read(refs);
    failure.catch(() => {});
    await pass(10_000);
    await expect(failure).rejects.toMatchObject({
      code: 'storage_unreachable',
      cause: { message: expect.stringContaining('took longer than 10000 ms') },
    });
  });
});
