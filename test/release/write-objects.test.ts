/** Which of the uploaded objects are read back; publish-faults.test.ts has what becomes of them. */
import { describe, expect, it } from 'vitest';
import { chooseSample } from '../../scripts/release/write-objects.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { pointerTo } from '../support/memory-target.ts';

const refs = (count: number, letter: string): ObjectRef[] =>
  Array.from({ length: count }, (_, index) => ({ hash: `${letter}${index}`, bytes: 1 }));

function sampleOf(chunks: readonly ObjectRef[]): string[] {
  const parts = refs(3, 'part');
  const { manifest: empty } = pointerTo('0'.repeat(16), 1);
  const manifest = { ...empty, parts: Object.fromEntries(parts.map((part) => [part.hash, part])) };
  return chooseSample({ manifest, missing: [...parts, ...chunks] }).map(({ hash }) => hash);
}

describe('the sample', () => {
  it.each([
    [0, 0],
    [1, 1],
    [50, 2],
    [51, 2],
    [1_000, 21],
    [10_000, 201],
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
