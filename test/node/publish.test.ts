/** Publishing: what is written, in which order, and what is live then. */
import { describe, expect, it } from 'vitest';
import { historyKey } from '../../scripts/release/history.ts';
import { readPointer, readRelease } from '../../scripts/release/published-release.ts';
import {
  FORMAT_VERSION,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseKey,
} from '../../src/snapshot/keys.ts';
import { MemoryTarget, sourceOf } from './memory-target.ts';
import {
  compile,
  FIRST_TIME,
  NEW_STORES,
  OLD_STORES,
  publish,
  publishedOld,
  SECOND_TIME,
  servedSlugs,
} from './publish-stage.ts';

describe('a first publication', () => {
  it('writes the objects, the manifest, the pointer, then the history, each once', async () => {
    const { compiled, objects } = await compile(OLD_STORES);
    const target = new MemoryTarget();
    const publication = await publish(compiled, target);
    const { release } = compiled.manifest;
    const keys = [...objects.keys()].map(objectKey);
    keys.sort().push(releaseKey(release), POINTER_KEY, historyKey(release));
    expect([...target.writes.slice(0, -3).sort(), ...target.writes.slice(-3)]).toEqual(keys);
    const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
    const first = { previous: null, alreadyLive: false, storeCount: 3 };
    expect(publication).toEqual({
      release,
      ...first,
      uploaded: { objects: objects.size, bytes },
      reused: { objects: 0, bytes: 0 },
    });
  });

  it('records who published what and when', async () => {
    const { compiled } = await compile(OLD_STORES);
    const target = new MemoryTarget();
    await publish(compiled, target);
    const publishedAt = FIRST_TIME.toISOString();
    const { manifest } = compiled;
    const first = { format: FORMAT_VERSION, number: 1, manifest, publishedAt, before: null };
    expect(await readPointer(target)).toEqual(first);
    expect(await readRelease(target, manifest.release)).toEqual({
      ...manifest,
      publishedAt,
      author: 'tester',
    });
  });

  it('is served', async () => {
    expect(await servedSlugs(sourceOf(await publishedOld()))).toEqual([
      'store-1',
      'store-2',
      'store-3',
    ]);
  });
});

describe('a second publication', () => {
  it('of what is live writes nothing and says so', async () => {
    const target = await publishedOld();
    const { compiled, objects } = await compile(OLD_STORES);
    const publication = await publish(compiled, target, SECOND_TIME);
    expect(publication).toMatchObject({
      alreadyLive: true,
      previous: compiled.manifest.release,
      uploaded: { objects: 0, bytes: 0 },
      reused: { objects: objects.size },
    });
    expect(target.writes).toEqual([]);
  });

  it('of what is live but damaged heals it', async () => {
    const { compiled } = await compile(OLD_STORES);
    const target = await publishedOld();
    const object = [...target.values.keys()].find((key) => key.startsWith(OBJECT_PREFIX)) as string;
    target.values.delete(object);
    target.storing = (_key, bytes) => bytes.slice(1);
    await expect(publish(compiled, target)).rejects.toMatchObject({ code: 'read_back_failed' });
    target.storing = (_key, bytes) => bytes;
    const healed = { alreadyLive: false, uploaded: { objects: 1 } };
    expect(await publish(compiled, target)).toMatchObject(healed);
    expect(await servedSlugs(sourceOf(target))).toHaveLength(3);
    // Nobody falls back from a release to itself.
    expect(await readPointer(target)).toMatchObject({ number: 2, before: null });
  });

  it('counts the pointer on and names what was live before', async () => {
    const target = await publishedOld();
    const before = await readPointer(target);
    const { compiled } = await compile(NEW_STORES);
    await publish(compiled, target, SECOND_TIME);
    expect(await readPointer(target)).toEqual({
      format: FORMAT_VERSION,
      number: 2,
      manifest: compiled.manifest,
      publishedAt: SECOND_TIME.toISOString(),
      before: { manifest: before?.manifest, publishedAt: FIRST_TIME.toISOString() },
    });
  });

  it.each([
    ['still tells its number', '{"format":3,"number":41}', 42],
    ['tells nothing', '{', 1],
  ])('over a damaged pointer that %s', async (_what, text, number) => {
    const target = await publishedOld();
    target.values.set(POINTER_KEY, new TextEncoder().encode(text));
    await publish((await compile(NEW_STORES)).compiled, target, SECOND_TIME);
    expect(await readPointer(target)).toMatchObject({ number, before: null });
  });

  it('uploads only objects that are not there', async () => {
    const target = await publishedOld();
    const there = new Set(target.values.keys());
    const { compiled, objects } = await compile(NEW_STORES);
    const publication = await publish(compiled, target, SECOND_TIME);
    const uploads = target.writes.filter((key) => key.startsWith(OBJECT_PREFIX));
    expect(uploads.filter((key) => there.has(key))).toEqual([]);
    expect(publication.uploaded.objects).toBe(uploads.length);
    expect(publication.reused.objects).toBe(objects.size - uploads.length);
    expect(publication.reused.objects).toBeGreaterThan(0);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
  });

  it('of an earlier release turns the pointer and leaves its record as it was', async () => {
    const target = await publishedOld();
    await publish((await compile(NEW_STORES)).compiled, target, SECOND_TIME);
    target.writes.length = 0;
    const { compiled } = await compile(OLD_STORES);
    const publication = await publish(compiled, target, SECOND_TIME);
    expect(publication.uploaded.objects).toBe(0);
    expect(target.writes).toEqual([POINTER_KEY, historyKey(compiled.manifest.release)]);
    const { release } = compiled.manifest;
    expect((await readPointer(target))?.publishedAt).toBe(SECOND_TIME.toISOString());
    expect((await readRelease(target, release))?.publishedAt).toBe(FIRST_TIME.toISOString());
  });
});
