/** Publications that are cut short or go wrong: what a reader sees, what is read back, and what the next one does. */
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../scripts/cli/command-error.ts';
import { chooseSample } from '../../scripts/release/write-objects.ts';
import { OBJECT_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { pointerTo, sourceOf } from '../support/memory-target.ts';
import {
  liveKey,
  NEW_STORES,
  publish,
  publishedOld,
  SECOND_TIME,
  servedSlugs,
} from '../support/publish-stage.ts';
import { compileStores } from '../support/stores/compiled-stores.ts';

describe('an interrupt in the very last request', () => {
  it('finds the release decided: its pointer is written all the same', async () => {
    const compiled = await compileStores(NEW_STORES);
    const target = await publishedOld();
    target.beforeWrite = (key) => {
      if (key !== POINTER_KEY) return;
      target.beforeWrite = () => {};
      throw new InterruptedError();
    };
    await publish(compiled, target);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
  });
});

describe('a publication whose writing went wrong', () => {
  it.each([
    ['objects are lost', false, () => null],
    ['objects are cut off', true, (bytes: Uint8Array) => bytes.slice(1)],
  ])('is refused when %s', async (_name, stays, store) => {
    const compiled = await compileStores(NEW_STORES);
    const target = await publishedOld();
    target.storing = (key, bytes) => (key.startsWith(OBJECT_PREFIX) ? store(bytes) : bytes);
    const refusal = { code: 'read_back_failed', exitCode: 1 };
    await expect(publish(compiled, target)).rejects.toMatchObject(refusal);
    expect(target.writes).not.toContain(POINTER_KEY);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-1', 'store-2', 'store-3']);
    // Others may rely on what is there: nothing is deleted.
    expect(target.writes.every((key) => target.values.has(key))).toBe(stays);
    // The next run does not take it for sound.
    target.storing = (_key, bytes) => bytes;
    await publish(compiled, target);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
  });

  it('once puts what reads back wrong once more, without waiting for it to get right', async () => {
    const compiled = await compileStores(NEW_STORES);
    const target = await publishedOld();
    const spoilt = new Set<string>();
    target.storing = (key, bytes) => {
      const isFirst = key.startsWith(OBJECT_PREFIX) && !spoilt.has(key);
      spoilt.add(key);
      return isFirst ? bytes.slice(1) : bytes;
    };
    Object.assign(target.objects, { lateness: 120_000 });
    const sleep = () => Promise.reject(new Error('it waits'));
    Object.assign(target, { clock: { ...target.clock, sleep } });
    await publish(compiled, target);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
  });

  it.each([
    ['missing', (objects: Map<string, Uint8Array>, hash: string) => objects.delete(hash)],
    [
      'damaged',
      (objects: Map<string, Uint8Array>, hash: string) => objects.set(hash, new Uint8Array([1])),
    ],
  ])('is refused when an object of the snapshot is %s', async (fault, spoil) => {
    const compiled = await compileStores(NEW_STORES);
    const { objects } = compiled;
    const target = await publishedOld();
    const hash = [...objects.keys()].find((each) => !target.values.has(liveKey(target, each)));
    spoil(objects, hash ?? '');
    for (const dryRun of [true, false]) {
      await expect(publish(compiled, target, SECOND_TIME, { dryRun })).rejects.toMatchObject({
        code: 'snapshot_damaged',
        message: `object ${hash} of the snapshot is ${fault}: build it again`,
      });
    }
    expect(target.decisions).toEqual([]);
  });
});

const refs = (count: number, letter: string): ObjectRef[] =>
  Array.from({ length: count }, (_, index) => ({ hash: `${letter}${index}`, bytes: 1 }));

function sampleOf(chunks: readonly ObjectRef[]): string[] {
  const parts = refs(3, 'part');
  const { manifest: empty } = pointerTo('0'.repeat(16), 1);
  const manifest = { ...empty, parts: Object.fromEntries(parts.map((part) => [part.hash, part])) };
  return chooseSample({ manifest, missing: [...parts, ...chunks] }).map(({ hash }) => hash);
}

describe('the sample of what is read back', () => {
  it.each([
    [0, 0],
    [1, 1],
    [51, 2],
    [1_000, 21],
    [50_000, 201],
  ])('of %d chunks has %d of them, the last too, and every index part', (count, expected) => {
    const chunks = refs(count, 'chunk');
    const sample = sampleOf(chunks);
    expect(sample.filter((hash) => hash.startsWith('part'))).toHaveLength(3);
    expect(sample.filter((hash) => hash.startsWith('chunk'))).toHaveLength(expected);
    expect(new Set(sample).size).toBe(sample.length);
    if (count > 0) expect(sample).toContain(chunks.at(-1)?.hash);
  });
});
