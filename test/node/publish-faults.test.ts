/** Publications that are cut short or go wrong: what a reader sees, and what the next one does. */
import { describe, expect, it, vi } from 'vitest';
import { OBJECT_PREFIX, objectKey, POINTER_KEY, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import { sourceOf } from './memory-target.ts';
import {
  compile,
  NEW_STORES,
  publish,
  publishedOld,
  SECOND_TIME,
  servedSlugs,
} from './publish-stage.ts';

describe('a publication that is cut short', () => {
  it('before any of its writes leaves the old release live; the next one finishes', async () => {
    const { compiled } = await compile(NEW_STORES);
    const complete = await publishedOld();
    await publish(compiled, complete);
    const writes = complete.writes.length;
    const turned = complete.writes.indexOf(POINTER_KEY);
    expect(turned).toBeGreaterThan(3);
    for (let stop = 0; stop <= turned; stop++) {
      const target = await publishedOld();
      target.beforeWrite = () => {
        if (target.writes.length >= stop) throw new Error('the power is out');
      };
      await expect(publish(compiled, target)).rejects.toThrow('the power is out');
      expect(await servedSlugs(sourceOf(target))).toEqual(['store-1', 'store-2', 'store-3']);
      target.beforeWrite = () => {};
      await publish(compiled, target);
      expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
      expect(target.writes.length).toBe(writes);
    }
  });

  it('by an interrupt stops before its next write', async () => {
    const { compiled } = await compile(NEW_STORES);
    const target = await publishedOld();
    const interruption = new AbortController();
    target.beforeWrite = (key) => {
      if (key.startsWith(RELEASE_PREFIX)) interruption.abort(new Error('interrupted'));
    };
    const publication = publish(compiled, target, SECOND_TIME, interruption.signal);
    await expect(publication).rejects.toThrow('interrupted');
    expect(target.writes).not.toContain(POINTER_KEY);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-1', 'store-2', 'store-3']);
  });
});

describe('a publication whose writing went wrong', () => {
  it.each([
    ['an object is lost', OBJECT_PREFIX, () => null],
    ['an object is cut off', OBJECT_PREFIX, (bytes: Uint8Array) => bytes.slice(1)],
    ['the manifest is lost', RELEASE_PREFIX, () => null],
    ['the manifest is damaged', RELEASE_PREFIX, (bytes: Uint8Array) => bytes.slice(1)],
  ])('is refused when %s', async (_name, prefix, store) => {
    const { compiled } = await compile(NEW_STORES);
    const target = await publishedOld();
    target.storing = (key, bytes) => (key.startsWith(prefix) ? store(bytes) : bytes);
    const refusal = { code: 'read_back_failed', exitCode: 1 };
    await expect(publish(compiled, target)).rejects.toMatchObject(refusal);
    expect(target.writes).not.toContain(POINTER_KEY);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-1', 'store-2', 'store-3']);
    // The next run does not take what is there for sound.
    target.storing = (_key, bytes) => bytes;
    await publish(compiled, target);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
  });

  it.each([
    ['cut off', (bytes: Uint8Array) => bytes.slice(1)],
    ['right', (bytes: Uint8Array) => bytes],
  ])('whose objects were left behind %s is not taken at its word', async (state, store) => {
    const { compiled, objects } = await compile(NEW_STORES);
    const target = await publishedOld();
    const fresh = [...objects.keys()].filter((hash) => !target.values.has(objectKey(hash)));
    for (const hash of fresh)
      target.values.set(objectKey(hash), store(objects.get(hash) as Uint8Array));
    const reads = vi.spyOn(target, 'get');
    const { uploaded } = await publish(compiled, target);
    expect(uploaded.objects).toBe(state === 'right' ? 0 : fresh.length);
    const read = new Set(reads.mock.calls.map(([key]) => key));
    expect(fresh.filter((hash) => !read.has(objectKey(hash)))).toEqual([]);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
  });

  it.each([
    ['missing', (objects: Map<string, Uint8Array>, hash: string) => objects.delete(hash)],
    [
      'damaged',
      (objects: Map<string, Uint8Array>, hash: string) => objects.set(hash, new Uint8Array([1])),
    ],
  ])('is refused when an object of the snapshot is %s', async (fault, spoil) => {
    for (const position of [0, 1, 2, 3, 4]) {
      const { compiled, objects } = await compile(NEW_STORES);
      const target = await publishedOld();
      const fresh = [...objects.keys()].filter((hash) => !target.values.has(objectKey(hash)));
      const hash = fresh[position % fresh.length] as string;
      spoil(objects, hash);
      await expect(publish(compiled, target)).rejects.toMatchObject({
        code: 'snapshot_damaged',
        message: `object ${hash} of the snapshot is ${fault}: build it again`,
      });
      expect(target.writes).not.toContain(POINTER_KEY);
    }
  });
});
