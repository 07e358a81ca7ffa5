/**
 * The `compared` part: with `ids` it says which stores differ between two releases, and their names.
 * `changes` reads it, and so do the tools. n stores in the order of ids:
 *
 *     section  content
 *     0        fingerprints   8·n bytes, equal when all answers are: `scripts/compile/compile-record.ts`
 *     1        ends           u32 × n: where the name of each store ends in section 2
 *     2        names          UTF-8: the slug; before it the id and a `/`, which no slug holds, where
 *                             the export writes the id with upper-case letters
 *
 * Two releases of 100,000 stores are compared by four objects, which are read side by side.
 */
import {
  concatenate,
  endsOf,
  expectEqual,
  readColumnFile,
  writeColumnFile,
} from './column-file.ts';
import { ID_DIGITS, type IdTable, idTable } from './id-table.ts';

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
export type StoreNames = ReturnType<typeof storeNames>;

function storeNames(ids: IdTable, ends: Uint32Array, texts: Uint8Array) {
  const text = (index: number) => texts.subarray(ends[index - 1] ?? 0, ends[index]);

  function name(index: number): StoreName {
    const written = decoder.decode(text(index));
    if (written[ID_DIGITS] !== SLASH) return { id: ids.at(index).toHex(), slug: written };
    return { id: written.slice(0, ID_DIGITS), slug: written.slice(ID_DIGITS + SLASH.length) };
  }

  /** Bytes of memory that the names take. */
  const bytes = ids.bytes.length + ends.byteLength + texts.length;
  return { ids, bytes, text, name };
}

/** Copies some names. @param chosen each by its index in others */
export function copyNames(chosen: readonly (readonly [StoreNames, number])[]): StoreNames {
  const texts = chosen.map(([names, index]) => names.text(index));
  const ids = concatenate(chosen.map(([names, index]) => names.ids.at(index)));
  return storeNames(idTable(ids), endsOf(texts), concatenate(texts));
}

/** The stores of a release as they are compared. */
export type ComparedStores = ReturnType<typeof readComparedStores>;

/** Reads the part in place, and checks its layout. @param ids of the same stores @throws SnapshotFormatError */
export function readComparedStores(buffer: ArrayBuffer, ids: IdTable) {
  const file = readColumnFile('compared', buffer, 3);
  const ends = file.u32(1, ids.count);
  const texts = file.u8(2);
  const fingerprints = file.u32(0, ids.count * FINGERPRINT_WORDS);
  expectEqual('length of names', texts.length, ends.at(-1) ?? 0);
  return { storeCount: ids.count, names: storeNames(ids, ends, texts), fingerprints };
}

/**
 * Counts the stores that are the same, one by one: in `before` from `old` on, in `after` from `next` on, at
 * most `max`. Equal fingerprints mean the same store: the id is part of every answer.
 */
export function countAlike(
  before: ComparedStores,
  old: number,
  after: ComparedStores,
  next: number,
  max: number,
): number {
  const [here, there] = [old * FINGERPRINT_WORDS, next * FINGERPRINT_WORDS];
  const words = max * FINGERPRINT_WORDS;
  let word = 0;
  while (word < words && before.fingerprints[here + word] === after.fingerprints[there + word]) {
    word++;
  }
  return Math.floor(word / FINGERPRINT_WORDS);
}
