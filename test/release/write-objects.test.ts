/** Which of the uploaded objects are read back, and what becomes of those that read back wrong. */
import { describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { type Claim, chooseSample, writeObjects } from '../../scripts/release/write-objects.ts';
import { FORMAT_VERSION, objectKey } from '../../src/snapshot/keys.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { compileStores, storesFrom } from '../support/stores/compiled-stores.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';

const keyOf = (hash: string) => objectKey(GENERATION, hash);

const refs = (count: number, letter: string): ObjectRef[] =>
  Array.from({ length: count }, (_, index) => ({ hash: `${letter}${index}`, bytes: 1 }));

function claimOf(chunks: readonly ObjectRef[]): Claim {
  const parts = refs(3, 'part');
  const objects = [...parts, ...chunks];
  const none = { storeCount: 0, locationCount: 0, chunkCount: 0, chunkBytes: 0 };
  return {
    manifest: {
      format: FORMAT_VERSION,
      release: '0'.repeat(16),
      generation: GENERATION,
      ...none,
      parts: Object.fromEntries(parts.map((part) => [part.hash, part])),
    },
    objects,
    read: async () => new Uint8Array(),
  };
}

describe('the sample', () => {
  it.each([
    [0, 0],
    [1, 1],
    [50, 1],
    [51, 2],
    [1_000, 20],
    [10_000, 200],
    [50_000, 200],
  ])('of %d chunks has %d of them, and every index part', (chunks, expected) => {
    const sample = chooseSample(claimOf(refs(chunks, 'chunk')), []).map(({ hash }) => hash);
    expect(sample.filter((hash) => hash.startsWith('part'))).toHaveLength(3);
    expect(sample.filter((hash) => hash.startsWith('chunk'))).toHaveLength(expected);
    expect(new Set(sample).size).toBe(sample.length);
  });

  it('has the first and the last of each batch', () => {
    const batches = [
      ['chunk7', 'chunk8', 'chunk9'],
      ['chunk20', 'chunk33'],
    ].map((batch) => batch.map((hash) => objectKey(GENERATION, hash)));
    const sample = chooseSample(claimOf(refs(40, 'chunk')), batches).map(({ hash }) => hash);
    expect(sample).toEqual(expect.arrayContaining(['chunk7', 'chunk9', 'chunk20', 'chunk33']));
    expect(sample).not.toContain('chunk8');
  });
});

describe('an object that reads back wrong', () => {
  it('is written once more, and never deleted', async () => {
    const target = new MemoryTarget();
    const { manifest, objects } = await compileStores(storesFrom(1, 5));
    const claim: Claim = {
      manifest: { ...manifest, generation: GENERATION },
      objects: [...objects].map(([hash, { length }]) => ({ hash, bytes: length })),
      read: async (hash) => objects.get(hash) ?? new Uint8Array(),
    };
    const lost = keyOf(manifest.parts.ids?.hash ?? '');
    const write = () => writeObjects(target.objects, claim, { progress: SILENT_PROGRESS });
    let times = 0;
    target.storing = (key, bytes) => (key === lost && times++ === 0 ? new Uint8Array(3) : bytes);
    await write();
    expect(target.writes.filter((key) => key === lost)).toHaveLength(2);
    for (const [hash, bytes] of objects) expect(target.values.get(keyOf(hash))).toEqual(bytes);
    target.storing = (key, bytes) => (key === lost ? new Uint8Array(3) : bytes);
    await expect(write()).rejects.toMatchObject({ code: 'read_back_failed' });
    expect(target.values.has(lost)).toBe(true);
  });
});
