/** What an isolate holds, and what it does when storage or a new release fails it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { objectKey, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import { FIRST, HeldRelease, SECOND } from './held-release.ts';

let isolate: HeldRelease;

beforeEach(() => {
  isolate = new HeldRelease();
});

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

  it.each([
    ['a pointer that is not JSON', POINTER_KEY, 'nonsense'],
    ['a pointer of a newer format', POINTER_KEY, '{"format":2,"release":{}}'],
    [
      'a pointer to nowhere',
      POINTER_KEY,
      '{"format":1,"release":"0000000000000000","publishedAt":"2026-01-01T00:00:00Z"}',
    ],
  ])('survives %s', async (_name, key, text) => {
    await isolate.source.publish(FIRST, '2026-01-01T00:00:00Z');
    isolate.source.values.set(key, new TextEncoder().encode(text));
    await expect(isolate.current()).rejects.toMatchObject({ code: 'storage_unreachable' });
  });

  it('reads the index and no chunk', async () => {
    await isolate.publishFirst();
    expect(isolate.source.reads.map(({ freshness }) => freshness)).toEqual([
      'mutable',
      'immutable',
      'immutable',
    ]);
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
    await Promise.all(isolate.deferred);
    expect((await isolate.current()).id).toBe(release);
    expect((await isolate.current()).storeCount).toBe(9);
  });

  it('reads nothing but the pointer while nothing changes', async () => {
    await isolate.publishFirst();
    isolate.source.reads.length = 0;
    await isolate.refresh();
    expect(isolate.source.reads).toEqual([{ key: POINTER_KEY, freshness: 'mutable' }]);
  });

  it('takes the parts along that the old release had in use', async () => {
    await isolate.publishFirst();
    await (await isolate.current()).places();
    await (await isolate.current()).ranks('name', 'fr');
    await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
    await isolate.refresh();
    isolate.source.reads.length = 0;
    await (await isolate.current()).places();
    await (await isolate.current()).ranks('name', 'fr');
    expect(isolate.source.reads).toEqual([]);
  });

  it('notices a release that was published again', async () => {
    await isolate.publishFirst();
    await isolate.source.publish(FIRST, '2026-03-03T00:00:00Z');
    await isolate.refresh();
    expect((await isolate.current()).publishedAt.toISOString()).toBe('2026-03-03T00:00:00.000Z');
  });

  it.each(['storage down', 'manifest missing', 'part missing', 'part damaged', 'newer format'])(
    'keeps the last good release: %s',
    async (fault) => {
      const first = await isolate.publishFirst();
      const second = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
      const part = objectKey(second.parts.stores?.hash ?? '');
      const good = new Map(isolate.source.values);
      if (fault === 'storage down') isolate.source.failure = new Error('down');
      if (fault === 'manifest missing') isolate.source.values.delete(releaseKey(second.release));
      if (fault === 'part missing') isolate.source.values.delete(part);
      if (fault === 'part damaged')
        isolate.source.values.set(
          part,
          (good.get(part) as Uint8Array).map((b) => b ^ 1),
        );
      if (fault === 'newer format') {
        isolate.source.values.set(POINTER_KEY, new TextEncoder().encode('{"format":2}'));
      }
      await isolate.refresh();
      expect(isolate.reports).toHaveLength(1);
      expect((await isolate.current()).id).toBe(first);

      isolate.source.failure = null;
      for (const [key, value] of good) isolate.source.values.set(key, value);
      await isolate.refresh();
      expect((await isolate.current()).id).toBe(second.release);
    },
  );

  it('keeps serving when the pointer disappears', async () => {
    const first = await isolate.publishFirst();
    isolate.source.values.delete(POINTER_KEY);
    await isolate.refresh();
    expect((await isolate.current()).id).toBe(first);
  });
});

describe('the release before', () => {
  it('is kept for three minutes to fall back on, and then let go', async () => {
    await isolate.publishFirst();
    const old = await isolate.current();
    const fresh = await isolate.followSecond();
    for (let passed = 0; passed < 150_000; passed += 30_000) await isolate.refresh();
    expect(await isolate.current()).toBe(fresh);
    expect(isolate.holder.retreat(fresh)).toBe(old);
  });

  it('is gone after that', async () => {
    await isolate.publishFirst();
    const fresh = await isolate.followSecond();
    for (let passed = 0; passed < 180_000; passed += 30_000) await isolate.refresh();
    expect(isolate.holder.retreat(fresh)).toBeNull();
    expect(await isolate.current()).toBe(fresh);
  });
});
