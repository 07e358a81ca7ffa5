/** How an isolate goes over to a new release behind its answers. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import type { Part } from '../../src/snapshot/column-file.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { rankPart } from '../../src/snapshot/rank-column.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { HeldRelease, SECOND } from './support/held-release.ts';

let isolate: HeldRelease;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  isolate = new HeldRelease();
});

afterEach(() => vi.useRealTimers());

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

const PARTS = [PLACES_PART, CHUNKS_PART, IDS_PART, rankPart('name', 'fr')];

/** Reads parts of the current release, as a query does. */
async function load(parts: readonly Part[]): Promise<void> {
  const release = await isolate.current();
  await release.load(parts, isolate);
}

const keysRead = () => isolate.source.reads.map(({ key }) => key);

it('a look at the pointer happens behind an answer, once an interval', async () => {
  const first = await isolate.publishFirst();
  const { release } = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
  vi.advanceTimersByTime(29_999);
  await isolate.current();
  expect(isolate.deferred).toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect((await isolate.current()).id).toBe(first);
  await isolate.current();
  expect(isolate.deferred).toHaveLength(1);
  await isolate.settle();
  expect((await isolate.current()).id).toBe(release);
  expect((await isolate.current()).storeCount).toBe(9);
});

it('a look at the pointer takes the parts along that the old release had in use, and no others', async () => {
  await isolate.publishFirst();
  await load(PARTS);
  isolate.source.reads.length = 0;
  const { parts } = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
  await isolate.refresh();
  const wanted = PARTS.map(({ name }) => objectKey(GENERATION, parts[name]?.hash ?? ''));
  expect(keysRead().toSorted()).toEqual([POINTER_KEY, ...wanted].toSorted());
  isolate.source.reads.length = 0;
  await load(PARTS);
  expect(isolate.source.reads).toEqual([]);
});

it('a look at the pointer that hangs is begun again once an interval, and no more often', async () => {
  const first = await isolate.publishFirst();
  await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
  isolate.source.isHolding = true;
  await pass(30_000);
  await isolate.current();
  await pass(29_999);
  await isolate.current();
  expect(isolate.source.held).toHaveLength(1);
  await pass(1);
  expect((await isolate.current()).id).toBe(first);
  expect(isolate.source.held).toHaveLength(2);
  // The first look was ended with its request; the second one comes.
  isolate.source.held.splice(0, 1);
  isolate.source.letGo();
  await pass(0);
  expect((await isolate.current()).storeCount).toBe(SECOND.length);
  isolate.source.reads.length = 0;
  await pass(30_000);
  await isolate.current();
  await pass(0);
  expect(keysRead()).toEqual([POINTER_KEY]);
});

it('documents keep their room in memory while the live release is one that cannot be read', async () => {
  await isolate.publishFirst();
  const { pointer } = isolate;
  const lost = { hash: '0'.repeat(32), bytes: 90 * 1024 * 1024 };
  const manifest = { ...pointer.manifest, release: '0'.repeat(16) };
  isolate.pointer = {
    ...pointer,
    number: pointer.number + 1,
    manifest: { ...manifest, parts: { ...manifest.parts, [CHUNKS_PART.name]: lost } },
  };
  await load([CHUNKS_PART]);
  await isolate.refresh();
  const release = await isolate.current();
  (await release.records([0], isolate))[Symbol.dispose]();
  expect(release.records([0], isolate)).not.toBeInstanceOf(Promise);
});
