/** Publishing: what is written, in which order, and what a reader sees whenever it is cut short. */
import { describe, expect, it, vi } from 'vitest';
import type { CompiledRelease } from '../../scripts/publish/compiled-release.ts';
import { historyKey } from '../../scripts/publish/history.ts';
import { type Publication, publishRelease } from '../../scripts/publish/publish-release.ts';
import { readPointer, readRelease } from '../../scripts/publish/published-release.ts';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import type { SourceStore } from '../../src/model/source-store.ts';
import { findStore } from '../../src/query/directory.ts';
import { renderStore } from '../../src/render/answer.ts';
import {
  FORMAT_VERSION,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  RELEASE_PREFIX,
  releaseKey,
} from '../../src/snapshot/keys.ts';
import type { SnapshotSource } from '../../src/storage/snapshot-source.ts';
import { TestBackground } from '../shared/memory-snapshot.ts';
import { buildStore } from '../shared/store-builder.ts';
import { compileStores, publishOptions } from './compiled-stores.ts';
import { MemoryTarget, sourceOf } from './memory-target.ts';

const FIRST_TIME = new Date('2026-01-02T03:04:05.000Z');
const SECOND_TIME = new Date('2026-01-03T03:04:05.000Z');

const OLD_STORES = [1, 2, 3].map((number) => buildStore(number));
const NEW_STORES = [2, 3, 4].map((number) => buildStore(number));

async function compile(stores: readonly SourceStore[]) {
  const compiled = await compileStores(stores);
  return { compiled, objects: compiled.objects };
}

function publish(
  compiled: CompiledRelease,
  target: MemoryTarget,
  now = FIRST_TIME,
  signal?: AbortSignal,
): Promise<Publication> {
  const more = { author: 'tester', now, ...(signal ? { signal } : {}) };
  return publishRelease(compiled, target, publishOptions(1, more));
}

/** Slugs of the candidates that a Worker over this source answers, each read to its last byte. */
async function servedSlugs(source: SnapshotSource): Promise<string[]> {
  const holder = new ReleaseHolder(source, { refreshInterval: 0 });
  const background = new TestBackground();
  const release = await holder.current(background);
  const slugs: string[] = [];
  for (const slug of ['store-1', 'store-2', 'store-3', 'store-4']) {
    const found = await findStore(release, slug, background);
    if (found === null) continue;
    const query = { fields: null, language: null, rentalPointSlug: null };
    const body = renderStore(found, 0, query, null);
    slugs.push(JSON.parse(new TextDecoder().decode(body)).slug);
  }
  expect(slugs).toHaveLength(release.storeCount);
  return slugs;
}

async function publishedOld(): Promise<MemoryTarget> {
  const target = new MemoryTarget();
  await publish((await compile(OLD_STORES)).compiled, target);
  target.writes.length = 0;
  return target;
}

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
