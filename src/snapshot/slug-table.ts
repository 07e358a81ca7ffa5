/**
 * The `slugs` part. Slugs are half as long as all columns together, and no look-up needs them as text:
 * it goes by a hash of 32 bits, and the record that is found says whether it is the one. n stores:
 *
 *     section  content
 *     0        hashes     u32 × n, ascending
 *     1        ordinals   u32 × n, the store of each hash
 */

import { textHash } from '../hash.ts';
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { lowerBound } from './lower-bound.ts';
import type { Part } from './part.ts';

export const SLUGS_PART: Part<SlugTable> = {
  name: 'slugs',
  read: (part, storeCount) => new SlugTable(part, storeCount),
};

const SECTION_COUNT = 2;

/** Writes the `slugs` part. `slugs` are in ordinal order. */
export function writeSlugTable(slugs: readonly string[]): Uint8Array<ArrayBuffer> {
  const entries = slugs.map((slug, ordinal) => ({ hash: textHash(slug), ordinal }));
  entries.sort((a, b) => a.hash - b.hash || a.ordinal - b.ordinal);
  return writeColumnFile([
    Uint32Array.from(entries, ({ hash }) => hash),
    Uint32Array.from(entries, ({ ordinal }) => ordinal),
  ]);
}

/** Reads the `slugs` part in place. */
export class SlugTable {
  private readonly hashes: Uint32Array;
  private readonly ordinals: Uint32Array;

  /** Checks the layout. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile('slugs', buffer, SECTION_COUNT);
    this.hashes = file.u32(0, storeCount);
    this.ordinals = file.u32(1, storeCount);
  }

  /** The stores that may have this slug: hardly ever more than one, and no other has it. */
  candidates(slug: string): number[] {
    const hash = textHash(slug);
    const found: number[] = [];
    const { hashes, ordinals } = this;
    const first = lowerBound(hashes.length, (place) => (hashes[place] as number) < hash);
    for (let place = first; hashes[place] === hash; place++) {
      found.push(ordinals[place] as number);
    }
    return found;
  }
}
