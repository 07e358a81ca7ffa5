/**
 * The `slugs` part. Slugs are half as long as all columns together, and no look-up needs them as text:
 * it goes by a hash of 32 bits, and the record that is found says whether it is the one. n stores:
 *
 *     section  content
 *     0        hashes     u32 × n, ascending
 *     1        ordinals   u32 × n, the store of each hash
 */

import { type ColumnFile, columnPart, lowerBound, writeColumnFile } from './column-file.ts';
import { textHash } from './hash.ts';

export const SLUGS_PART = columnPart('slugs', 2, readSlugs);

/** Writes the `slugs` part. `slugs` are in ordinal order. */
export function writeSlugTable(slugs: readonly string[]): Uint8Array<ArrayBuffer> {
  const entries = slugs.map((slug, ordinal) => ({ hash: textHash(slug), ordinal }));
  entries.sort((a, b) => a.hash - b.hash || a.ordinal - b.ordinal);
  return writeColumnFile([
    Uint32Array.from(entries, ({ hash }) => hash),
    Uint32Array.from(entries, ({ ordinal }) => ordinal),
  ]);
}

/** Reads the part in place, and checks its layout. @throws SnapshotFormatError */
function readSlugs(file: ColumnFile, storeCount: number) {
  const hashes = file.u32(0, storeCount);
  const ordinals = file.u32(1, storeCount);
  return {
    /** Returns the stores that may have this slug: hardly ever more than one, and no other has it. */
    candidates(slug: string): number[] {
      const hash = textHash(slug);
      const found: number[] = [];
      const first = lowerBound(hashes.length, (index) => (hashes[index] as number) < hash);
      for (let index = first; hashes[index] === hash; index++) {
        found.push(ordinals[index] as number);
      }
      return found;
    },
  };
}
