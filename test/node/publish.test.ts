/** Publishing: what is written, in which order, and what is live then. */
import { describe, expect, it } from 'vitest';
import { OTHER_WRITES } from '../../scripts/release/estimate-cost.ts';
import { readHead } from '../../scripts/release/log.ts';
import { readPointer } from '../../scripts/release/pointer-copy.ts';
import { readRelease } from '../../scripts/release/published-release.ts';
import {
  FORMAT_VERSION,
  INTENT_PREFIX,
  LOG_PREFIX,
  logKey,
  nameKey,
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
  it('writes the intent, the objects, the manifest, the log, the name, the pointer, each once', async () => {
    const { compiled, objects } = await compile(OLD_STORES);
    const target = new MemoryTarget();
    const publication = await publish(compiled, target);
    const { release } = compiled.manifest;
    const keys = [...objects.keys()].map(objectKey);
    const [intent, ...others] = target.writes;
    expect(intent).toMatch(INTENT_PREFIX);
    expect(others.slice(0, -5).sort()).toEqual(keys.sort());
    // At its end it is taken away.
    const name = nameKey(`1-${release}`);
    const last = [releaseKey(release), logKey(1), name, POINTER_KEY, intent];
    expect(others.slice(-5)).toEqual(last);
    const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
    const nothingBefore = { previous: null, previousName: null };
    const first = { number: 1, ...nothingBefore, alreadyLive: false, storeCount: 3 };
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
    const healed = { alreadyLive: true, uploaded: { objects: 1 } };
    expect(await publish(compiled, target)).toMatchObject(healed);
    expect(await servedSlugs(sourceOf(target))).toHaveLength(3);
    // It is the same publication.
    expect(await readPointer(target)).toMatchObject({ number: 1, before: null });
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
      before: { number: 1, manifest: before?.manifest, publishedAt: FIRST_TIME.toISOString() },
    });
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

  it('that has to check everything anew counts what it uploaded before', async () => {
    const target = await publishedOld();
    const { compiled, objects } = await compile(NEW_STORES);
    const { ledger } = target;
    const create = ledger.create.bind(ledger);
    let sleeps = 1;
    ledger.create = async (...args) => {
      // The machine sleeps between the confirmation and the entry of the log.
      if (args[0].startsWith(LOG_PREFIX) && sleeps-- > 0) target.time += 120_000;
      return create(...args);
    };
    const publication = await publish(compiled, target, SECOND_TIME);
    const uploads = target.writes.filter((key) => key.startsWith(OBJECT_PREFIX));
    expect(sleeps).toBe(-1);
    expect(uploads.length).toBeGreaterThan(0);
    expect(publication.uploaded.objects).toBe(uploads.length);
    expect(publication.reused.objects).toBe(objects.size - uploads.length);
    expect((await readHead(ledger))?.cost).toEqual({
      writes: uploads.length + OTHER_WRITES,
      bytes: publication.uploaded.bytes,
    });
  });

  it('of an earlier release turns the pointer and leaves its record as it was', async () => {
    const target = await publishedOld();
    await publish((await compile(NEW_STORES)).compiled, target, SECOND_TIME);
    target.writes.length = 0;
    const { compiled } = await compile(OLD_STORES);
    const publication = await publish(compiled, target, SECOND_TIME);
    expect(publication.uploaded.objects).toBe(0);
    expect(target.decisions).toEqual([logKey(3), POINTER_KEY]);
    expect(target.writes).toHaveLength(5);
    const { release } = compiled.manifest;
    expect((await readPointer(target))?.publishedAt).toBe(SECOND_TIME.toISOString());
    expect((await readRelease(target, release))?.publishedAt).toBe(FIRST_TIME.toISOString());
  });
});
