/** What an isolate holds, and what it does when storage or a new release fails it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FORMAT_VERSION, objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { CHUNKS_PART, IDS_PART, PLACES_PART, rankPart } from '../../src/snapshot/manifest.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { FIRST, HeldRelease, SECOND } from './support/held-release.ts';

let isolate: HeldRelease;

beforeEach(() => {
  isolate = new HeldRelease();
});

afterEach(() => vi.useRealTimers());

const PARTS = [PLACES_PART, CHUNKS_PART, IDS_PART, rankPart('name', 'fr')];

/** Reads parts of the current release, as a query does. */
async function load(parts: readonly string[]): Promise<void> {
  const release = await isolate.current();
  await release.load(parts, isolate);
}

const keysRead = () => isolate.source.reads.map(({ key }) => key);

describe('first request', () => {
  it('says when nothing is published, and looks again next time', async () => {
    await expect(isolate.current()).rejects.toMatchObject({ code: 'snapshot_missing' });
    await isolate.publishFirst();
  });

  it('says when storage is unreachable, and recovers', async () => {
    isolate.source.failure = new Error('down');
    await expect(isolate.current()).rejects.toMatchObject({ code: 'storage_unreachable' });
    isolate.source.failure = null;
    await isolate.publishFirst();
  });

  it.each<[string, (pointer: Pointer) => unknown]>([
    ['a pointer that is no object', () => 'nonsense'],
    ['a pointer of a newer format', (pointer) => ({ ...pointer, format: FORMAT_VERSION + 1 })],
    ['a pointer without a number', ({ number: _, ...pointer }) => pointer],
    ['a pointer without a manifest', ({ manifest: _, ...pointer }) => pointer],
    [
      'a pointer whose parts have no hash',
      (pointer) => ({ ...pointer, manifest: { ...pointer.manifest, parts: { ids: {} } } }),
    ],
  ])('survives %s', async (_name, damage) => {
    await isolate.source.publish(FIRST, '2026-01-01T00:00:00Z');
    const good = isolate.pointer;
    isolate.pointer = damage(good) as Pointer;
    await expect(isolate.current()).rejects.toMatchObject({ code: 'storage_unreachable' });
    isolate.source.values.set(POINTER_KEY, new TextEncoder().encode('{"format'));
    await expect(isolate.current()).rejects.toMatchObject({ code: 'storage_unreachable' });
    isolate.pointer = good;
    expect((await isolate.current()).storeCount).toBe(FIRST.length);
  });

  it('names the release before by the number that its pointer says', async () => {
    await isolate.source.publish(FIRST, '2026-01-01T00:00:00Z');
    await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
    const { before, ...pointer } = isolate.pointer;
    if (!before) throw new Error('nothing was live before');
    isolate.pointer = { ...pointer, number: 9, before: { ...before, number: 4 } };
    const current = await isolate.current();
    expect(current.name).toBe(`9-${pointer.manifest.release}`);
    const fallback = await isolate.insteadOf(current);
    expect(fallback.name).toBe(`4-${before.manifest.release}`);
  });

  it('reads the pointer and nothing else', async () => {
    await isolate.publishFirst();
    expect(isolate.source.reads).toEqual([{ key: POINTER_KEY, freshness: 'document' }]);
  });
});

describe('refresh', () => {
  it('happens behind an answer, once an interval', async () => {
    const first = await isolate.publishFirst();
    const { release } = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
    isolate.clock += 29_999;
    await isolate.current();
    expect(isolate.deferred).toHaveLength(0);
    isolate.clock += 1;
    expect((await isolate.current()).id).toBe(first);
    await isolate.current();
    expect(isolate.deferred).toHaveLength(1);
    await isolate.settle();
    expect((await isolate.current()).id).toBe(release);
    expect((await isolate.current()).storeCount).toBe(9);
  });

  it('takes the parts along that the old release had in use, and no others', async () => {
    await isolate.publishFirst();
    await load(PARTS);
    isolate.source.reads.length = 0;
    const { parts } = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
    await isolate.refresh();
    const wanted = PARTS.map((name) => objectKey(GENERATION, parts[name]?.hash ?? ''));
    expect(keysRead().toSorted()).toEqual([POINTER_KEY, ...wanted].toSorted());
    isolate.source.reads.length = 0;
    await load(PARTS);
    expect(isolate.source.reads).toEqual([]);
  });

  it('notices a release that was published again, and reads nothing of it', async () => {
    await isolate.publishFirst();
    await load(PARTS);
    await isolate.source.publish(FIRST, '2026-03-03T00:00:00Z');
    isolate.source.reads.length = 0;
    await isolate.refresh();
    expect((await isolate.current()).publishedAt.toISOString()).toBe('2026-03-03T00:00:00.000Z');
    await load(PARTS);
    expect(keysRead()).toEqual([POINTER_KEY]);
  });

  it('that hangs is begun again once an interval, and no more often', async () => {
    const first = await isolate.publishFirst();
    await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    isolate.source.isHolding = true;
    await isolate.pass(30_000);
    await isolate.current();
    await isolate.pass(29_999);
    await isolate.current();
    expect(isolate.source.held).toHaveLength(1);
    await isolate.pass(1);
    expect((await isolate.current()).id).toBe(first);
    expect(isolate.source.held).toHaveLength(2);
    // The first look was ended with its request; the second one comes.
    isolate.source.held.splice(0, 1);
    isolate.source.letGo();
    await isolate.pass(0);
    expect((await isolate.current()).storeCount).toBe(SECOND.length);
    isolate.source.reads.length = 0;
    await isolate.pass(30_000);
    await isolate.current();
    await isolate.pass(0);
    expect(keysRead()).toEqual([POINTER_KEY]);
  });

  it.each(['storage down', 'part missing', 'part damaged', 'newer format'])(
    'keeps the last good release: %s',
    async (fault) => {
      const first = await isolate.publishFirst();
      await load(PARTS);
      const second = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
      const part = objectKey(GENERATION, second.parts[IDS_PART]?.hash ?? '');
      const good = new Map(isolate.source.values);
      if (fault === 'storage down') isolate.source.failure = new Error('down');
      if (fault === 'part missing') isolate.source.values.delete(part);
      if (fault === 'part damaged') {
        const bytes = good.get(part) as Uint8Array;
        isolate.source.values.set(
          part,
          bytes.map((byte) => byte ^ 1),
        );
      }
      if (fault === 'newer format') {
        isolate.source.values.set(POINTER_KEY, new TextEncoder().encode('{"format":9}'));
      }
      await isolate.refresh();
      expect(isolate.reports).toHaveLength(1);
      expect((await isolate.current()).id).toBe(first);
      await load(PARTS);

      isolate.source.failure = null;
      for (const [key, value] of good) isolate.source.values.set(key, value);
      await isolate.refreshFor(120_000);
      expect((await isolate.current()).id).toBe(second.release);
      expect(isolate.reports).toHaveLength(1);
    },
  );

  it('keeps serving when the pointer disappears', async () => {
    const first = await isolate.publishFirst();
    isolate.source.values.delete(POINTER_KEY);
    await isolate.refresh();
    expect((await isolate.current()).id).toBe(first);
  });
});
