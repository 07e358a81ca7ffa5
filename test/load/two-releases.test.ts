/** The release before: there to fall back on, never a third, and gone with all it computed. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { SLUGS_PART } from '../../src/snapshot/slug-table.ts';
import { DeadlineError } from '../../src/storage/reading.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { GENERATION, turnTo } from '../support/stores/memory-snapshot.ts';
import { FIRST, HeldRelease, REFRESH_INTERVAL, SECOND, THIRD } from './support/held-release.ts';
import { simulateTime } from './support/simulated-time.ts';

const pass = simulateTime();
let isolate: HeldRelease;
let first: string;

beforeEach(async () => {
  isolate = new HeldRelease();
  first = await isolate.publishFirst();
  await isolate.load();
});

/** The current release, its table of ids and an order that a query computed of it. */
async function watchCurrent() {
  const release = await isolate.current();
  const order = new Uint32Array(1_000);
  release.orders.set('by name', order);
  return {
    release: new WeakRef(release),
    ids: new WeakRef(release.table(IDS_PART)),
    order: new WeakRef(order),
  };
}

it.each([
  ['is published again', SECOND],
  ['was live minutes ago', FIRST],
])(
  'a release that %s reads nothing, and leaves the other one to fall back on',
  async (_, stores) => {
    const second = await isolate.followSecond();
    await isolate.load();
    isolate.keysRead();
    const { release } = await isolate.publish(stores, '2026-01-03T00:00:00Z');
    await isolate.refresh();
    await isolate.load();
    const current = await isolate.current();
    expect([current.id, current.publishedAt.getUTCDate()]).toEqual([release, 3]);
    const other = await isolate.insteadOf(current);
    expect(other.id).toBe(release === first ? second.id : first);
    // It is in memory: no look at the pointer is waited for.
    expect(isolate.keysRead()).toEqual([POINTER_KEY]);
  },
);

it('the same stores in another generation are read from there, or from the one before, which the pointer names', async () => {
  const later = GENERATION.replace('2026', '2027');
  const { pointer, source } = isolate;
  const { manifest, publishedAt } = pointer;
  turnTo(source.values, { ...manifest, generation: later }, publishedAt);
  const fresh = new HeldRelease(source);
  const unreadable = await fresh.current();
  expect((await fresh.insteadOf(unreadable)).manifest.generation).toBe(GENERATION);
  for (const [key, value] of source.values) {
    source.values.set(key.replace(GENERATION, later), value);
    if (key.includes(GENERATION)) source.values.delete(key);
  }
  await isolate.refresh();
  await isolate.load();
  expect((await isolate.current()).manifest.generation).toBe(later);
});

describe('chunks of a release that went', () => {
  /** The names of all chunks of the current release, which are in memory from now on. */
  async function readAll(): Promise<string[]> {
    const release = await isolate.current();
    await isolate.load();
    const stores = Array.from({ length: release.storeCount }, (_, store) => store);
    (await release.records(stores, isolate))[Symbol.dispose]();
    const { chunkTable } = release;
    return Array.from({ length: chunkTable.chunkCount }, (_, chunk) => chunkTable.hash(chunk));
  }
  const held = (names: readonly string[]) =>
    names.filter((name) => isolate.holder.memory.heldChunk(name));

  it('go with it, but for those that the current one has too', async () => {
    const stores = [...FIRST, ...SECOND];
    await isolate.publish(stores);
    await isolate.refresh();
    const old = await readAll();
    // One more store at the end of the order by id: all chunks but the last stay as they are.
    const last = { ...(THIRD[0] as (typeof THIRD)[0]), id: 'f'.repeat(24) };
    await isolate.publish([...stores, last]);
    await isolate.refresh();
    isolate.keysRead();
    const current = await readAll();
    const shared = old.filter((name) => current.includes(name));
    // What both have is read once.
    expect(isolate.keysRead()).toHaveLength(current.length - shared.length);
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.length).toBeLessThan(old.length);
    expect(held(old)).toEqual(old);
    await isolate.refreshFor(180_000);
    expect(held(old)).toEqual(shared);
    expect(held(current)).toEqual(current);
  });

  it('stay while it is there to fall back on, and while one that is held is not known', async () => {
    const old = await readAll();
    await isolate.followSecond();
    const second = await readAll();
    const followed = isolate.pointer;
    const manifest = await isolate.publish(THIRD);
    const { memory } = isolate.holder;
    const published = { number: 3, publishedAt: '2026-01-03T00:00:00Z' };
    memory.hold(new LoadedRelease({ ...published, manifest }, memory));
    expect(held([...old, ...second])).toEqual([...old, ...second]);
    isolate.pointer = followed;
    await isolate.refreshFor(150_000);
    expect(held(old)).toEqual(old);
  });
});

it('with no release before, the one that is live by then takes the place of one that cannot be read from', async () => {
  const failed = await isolate.current();
  const { release } = await isolate.publish(SECOND);
  expect((await isolate.insteadOf(failed)).id).toBe(release);
});

it('after a release was given up, the next one is followed at once', async () => {
  await isolate.insteadOf(await isolate.followSecond());
  const { release } = await isolate.publish(THIRD);
  await isolate.refresh();
  expect((await isolate.current()).id).toBe(release);
});

describe('memory', () => {
  it('never holds three releases: the first goes before the third comes', async () => {
    const old = await watchCurrent();
    await isolate.followSecond();
    await isolate.load();
    await collectGarbage();
    expect(old.ids.deref()).toBeDefined();

    await isolate.publish(THIRD);
    vi.advanceTimersByTime(30_000);
    isolate.source.begin({ hangs: true });
    await isolate.current();
    (await isolate.source.waitForReads(1))[0]?.finish();
    await isolate.source.waitForReads(1);
    await collectGarbage();
    expect(old.release.deref()).toBeUndefined();
    expect(old.ids.deref()).toBeUndefined();
    isolate.source.letGo();
    await isolate.settle();
    expect((await isolate.current()).storeCount).toBe(THIRD.length);
  });

  it('lets go of the orders of a release at once, and of all of it after its three minutes', async () => {
    const old = await watchCurrent();
    await collectGarbage();
    expect(old.order.deref()).toBeDefined();
    await isolate.followSecond();
    await isolate.refreshFor(150_000);
    await collectGarbage();
    expect(old.order.deref()).toBeUndefined();
    expect(old.ids.deref()).toBeDefined();
    await isolate.refreshFor(30_000);
    await collectGarbage();
    for (const reference of Object.values(old)) expect(reference.deref()).toBeUndefined();
  });

  it('lets go of a release that requests waited for in vain', async () => {
    const old = await watchCurrent();
    await isolate.insteadOf(await isolate.current(), new DeadlineError('too late'));
    await isolate.followSecond();
    await isolate.refreshFor(180_000);
    await collectGarbage();
    for (const reference of Object.values(old)) expect(reference.deref()).toBeUndefined();
  });
});

/** Starts a read of another request that takes all room, until the source lets it go. */
function takeAllRoom(): void {
  isolate.source.begin({ hangs: true });
  const rest = { what: 'part', generation: GENERATION, hash: '0'.repeat(32), bytes: 12 * 2 ** 20 };
  const other = isolate.holder.memory.objects.read([rest], isolate);
  other?.[0]?.catch(() => {});
}

it('a release whose parts find no room is followed at the next look', async () => {
  const { release } = await isolate.publish(SECOND);
  vi.advanceTimersByTime(REFRESH_INTERVAL);
  takeAllRoom();
  isolate.source.end();
  await isolate.current();
  await pass(5_000);
  await isolate.settle();
  expect((await isolate.current()).id).not.toBe(release);
  isolate.source.letGo();
  await isolate.refresh();
  expect((await isolate.current()).id).toBe(release);
});

it('a request that finds no room for its read goes back to no other release', async () => {
  const current = await isolate.followSecond();
  takeAllRoom();
  const request = Object.create(isolate, { giveUpAt: { value: isolate.giveUpAt } });
  const failure = current.load([SLUGS_PART], request).catch((error) => error);
  await pass(5_000);
  const { code, cause } = await failure;
  expect(code).toBe('storage_unreachable');
  expect(await isolate.holder.insteadOf(current, cause, request)).toBe(current);
  expect(await isolate.current()).toBe(current);
  // One that comes to its read too late was held up by storage.
  const late = Object.create(isolate, { giveUpAt: { value: Date.now() } });
  const { cause: lateness } = await current.load([SLUGS_PART], late).catch((error) => error);
  expect(lateness).toBeInstanceOf(DeadlineError);
  isolate.source.letGo();
});
