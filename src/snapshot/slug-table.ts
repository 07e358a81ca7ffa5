/**
 * The `slugs` part: what the stores are called in URLs. It is half as long as all other columns
 * together, and only requests for a slug, or sorted by it, need it. n stores:
 *
 *     section  content
 *     0        offsets  u32 × (n + 1), into section 1
 *     1        slugs    UTF-8, in ordinal order
 *     2        order    u32 × n, ordinals in ascending order of slug (UTF-16 code units)
 */
import { ColumnFile, concatenate, writeColumnFile } from './column-file.ts';
import { compareUtf8 } from './compare-utf8.ts';
import { SnapshotFormatError } from './format-error.ts';
import { findInOrder, orderBy } from './ordinal-order.ts';
import type { RankColumn } from './rank-column.ts';

const SECTION_COUNT = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes the part. `slugs` are in ordinal order. */
export function writeSlugTable(slugs: readonly string[]): Uint8Array<ArrayBuffer> {
  const texts = slugs.map((slug) => encoder.encode(slug));
  const offsets = new Uint32Array(slugs.length + 1);
  texts.forEach((text, ordinal) => {
    offsets[ordinal + 1] = (offsets[ordinal] as number) + text.length;
  });
  return writeColumnFile([offsets, concatenate(texts), orderBy(slugs)]);
}

/** Reads the part in place. */
export class SlugTable {
  private readonly offsets: Uint32Array;
  private readonly slugs: Uint8Array;
  private readonly order: Uint32Array;

  /** Checks the layout and the bounds of every offset. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile('slugs', buffer, SECTION_COUNT);
    this.offsets = file.u32(0, storeCount + 1);
    this.slugs = file.u8(1);
    this.order = file.u32(2, storeCount);
    this.checkBounds();
  }

  /** The ordinal of the store with exactly this slug, or null. */
  find(slug: string): number | null {
    const wanted = encoder.encode(slug);
    return findInOrder(this.order, (ordinal) => {
      const start = this.offsets[ordinal] as number;
      return compareUtf8(this.slugs, start, this.offsets[ordinal + 1] as number, wanted);
    });
  }

  /** The stores ranked by slug, in ascending order of UTF-16 code units. */
  ranks(): RankColumn {
    const ranks = new Uint32Array(this.order.length);
    for (let place = 0; place < this.order.length; place++) {
      ranks[this.order[place] as number] = place + 1;
    }
    return { ranks, highest: this.order.length };
  }

  /** The slug of a store. */
  slug(ordinal: number): string {
    const start = this.offsets[ordinal] as number;
    return decoder.decode(this.slugs.subarray(start, this.offsets[ordinal + 1] as number));
  }

  private checkBounds(): void {
    const storeCount = this.order.length;
    for (let ordinal = 0; ordinal < storeCount; ordinal++) {
      if ((this.order[ordinal] as number) >= storeCount) {
        throw new SnapshotFormatError(`slugs: place ${ordinal} of the order names no store`);
      }
      if ((this.offsets[ordinal] as number) > (this.offsets[ordinal + 1] as number)) {
        throw new SnapshotFormatError(`slugs: slug ${ordinal} ends before it starts`);
      }
    }
    if ((this.offsets[storeCount] as number) !== this.slugs.length) {
      throw new SnapshotFormatError('slugs: texts do not end where their section ends');
    }
  }
}
