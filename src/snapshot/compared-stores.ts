/**
 * The `compared` part: with `ids` it tells which stores differ between two releases, and what these
 * are called. `changes` reads it, and so do the tools. n stores in the order of ids:
 *
 *     section  content
 *     0        fingerprints   8·n bytes, equal when all answers are: `scripts/compile/compile-record.ts`
 *     1        ends           u32 × n: where the name of each store ends in section 2
 *     2        names          UTF-8: the slug; before it the id and a `/`, which no slug holds, where
 *                             the export writes the id with upper-case letters
 *
 * Two releases of 100,000 stores are compared by four objects, which are read side by side.
 */
import { ColumnFile, concatenate, endsOf, expectEqual, writeColumnFile } from './column-file.ts';
import { ID_DIGITS, IdTable } from './id-table.ts';

/** Bytes of a store's fingerprint. */
export const FINGERPRINT_BYTES = 8;
const FINGERPRINT_WORDS = FINGERPRINT_BYTES / Uint32Array.BYTES_PER_ELEMENT;
const SLASH = '/';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What a store is called. */
export interface StoreName {
  /** As the export writes it. */
  readonly id: string;
  readonly slug: string;
}

/** A store as it is compared. */
interface ComparedStore extends StoreName {
  /** `FINGERPRINT_BYTES` over all its answers. */
  readonly fingerprint: Uint8Array;
}

/** Writes the part. @param stores in the order of ids */
export function writeComparedStores(stores: readonly ComparedStore[]): Uint8Array<ArrayBuffer> {
  const names = stores.map(({ id, slug }) => {
    return encoder.encode(id === id.toLowerCase() ? slug : id + SLASH + slug);
  });
  const fingerprints = concatenate(stores.map(({ fingerprint }) => fingerprint));
  return writeColumnFile([fingerprints, endsOf(names), concatenate(names)]);
}

/** What some stores are called, in the order of ids. */
export class StoreNames {
  readonly ids: IdTable;
  private readonly ends: Uint32Array;
  private readonly texts: Uint8Array;

  constructor(ids: IdTable, ends: Uint32Array, texts: Uint8Array) {
    this.ids = ids;
    this.ends = ends;
    this.texts = texts;
  }

  /** Copies some. @param chosen each by its index in others */
  static copy(chosen: readonly (readonly [StoreNames, number])[]): StoreNames {
    const texts = chosen.map(([names, index]) => names.text(index));
    const ids = concatenate(chosen.map(([names, index]) => names.ids.at(index)));
    return new StoreNames(new IdTable(ids), endsOf(texts), concatenate(texts));
  }

  /** Bytes of memory that the names take. */
  get bytes(): number {
    return this.ids.bytes.length + this.ends.byteLength + this.texts.length;
  }

  name(index: number): StoreName {
    const text = decoder.decode(this.text(index));
    if (text[ID_DIGITS] !== SLASH) return { id: this.ids.text(index), slug: text };
    return { id: text.slice(0, ID_DIGITS), slug: text.slice(ID_DIGITS + SLASH.length) };
  }

  private text(index: number): Uint8Array {
    return this.texts.subarray(this.ends[index - 1] ?? 0, this.ends[index]);
  }
}

/** Reads the part in place. */
export class ComparedStores {
  readonly names: StoreNames;
  private readonly fingerprints: Uint32Array;

  /** Checks the layout. @param ids of the same stores @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, ids: IdTable) {
    const file = new ColumnFile('compared', buffer, 3);
    const ends = file.u32(1, ids.count);
    const texts = file.u8(2);
    this.fingerprints = file.u32(0, ids.count * FINGERPRINT_WORDS);
    this.names = new StoreNames(ids, ends, texts);
    expectEqual('length of names', texts.length, ends.at(-1) ?? 0);
  }

  get storeCount(): number {
    return this.names.ids.count;
  }

  /** Returns a number below zero when a store comes before one of `other`, zero for the same store. */
  compareIds(store: number, other: ComparedStores, otherStore: number): number {
    return this.names.ids.compare(store, other.names.ids.bytes, otherStore);
  }

  /**
   * Returns how many stores from `store` on have, one by one, the fingerprints of the stores of `other`
   * from `otherStore` on; at most `most`. These are the same stores: the id is part of every answer.
   */
  countAlike(store: number, other: ComparedStores, otherStore: number, most: number): number {
    const [here, there] = [store * FINGERPRINT_WORDS, otherStore * FINGERPRINT_WORDS];
    const words = most * FINGERPRINT_WORDS;
    let word = 0;
    while (word < words && this.fingerprints[here + word] === other.fingerprints[there + word]) {
      word++;
    }
    return Math.floor(word / FINGERPRINT_WORDS);
  }
}
