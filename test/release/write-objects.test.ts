/** Which of the uploaded objects are read back; publish-faults.test.ts has what becomes of them. */
import { describe, expect, it } from 'vitest';
import { type Claim, chooseSample } from '../../scripts/release/write-objects.ts';
import { FORMAT_VERSION, objectKey } from '../../src/snapshot/keys.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';

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
