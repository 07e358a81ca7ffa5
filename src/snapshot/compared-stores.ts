/**
 * What `changes` compares of a release. It has a version of its own, so that a new version of
 * everything else leaves releases comparable, and no partner has to walk the whole list anew. The
 * version is part of the names: a release with parts of another one alone is not comparable.
 *
 * The part `changes/v2/stores`, n stores in the order of their ids as texts:
 *
 *     section  content
 *     0        ids            12·n bytes, binary
 *     1        cases          u32 × n: bit d is set when digit d of the id is an upper-case letter;
 *                             empty where no id has one
 *     2        fingerprints   8·n bytes, equal when all answers are: `scripts/compile/answer-content.ts`
 *
 * The parts `changes/v2/slugs/0`, `changes/v2/slugs/1` …, each of 131,072 stores, the last one of the rest:
 *
 *     section  content
 *     0        offsets    u32 × (stores + 1), into section 1
 *     1        slugs      UTF-8
 */
import { fromHex } from '../hash.ts';
import { ColumnFile, concatenate, writeColumnFile } from './column-file.ts';
import { expectEqual, SnapshotFormatError } from './format-error.ts';
import { ID_BYTES, type IdPlace, writeCases } from './id-text.ts';
import { COMPARISON_VERSION } from './keys.ts';

const PREFIX = 'changes/';
export const COMPARED_STORES_PART = `${PREFIX}v${COMPARISON_VERSION}/stores`;
const COMPARED_SLUGS_PREFIX = `${PREFIX}v${COMPARISON_VERSION}/slugs/`;

/**
 * Stores of a part of slugs. So two releases of 100,000 stores are compared by four objects, which a
 * request reads side by side; a value of KV holds the slugs of three times as many.
 */
export const SLUGS_PER_PART = 131_072;

const WORD = Uint32Array.BYTES_PER_ELEMENT;
const FINGERPRINT_BYTES = 8;
const ID_WORDS = ID_BYTES / WORD;
const FINGERPRINT_WORDS = FINGERPRINT_BYTES / WORD;

const encoder = new TextEncoder();

export const comparedSlugsPart = (number: number): string => COMPARED_SLUGS_PREFIX + number;

/** Whether a part is made for comparing, of whichever version. */
export const isComparedPart = (name: string): boolean => name.startsWith(PREFIX);

/** A store as it is compared. */
export interface ComparedStore {
  readonly id: string;
  readonly slug: string;
  /** The fingerprint of all its answers, eight bytes as a little-endian number. */
  readonly answers: bigint;
}

/** Writes all of these parts, by name. @param stores in the order of ids */
export function writeComparedStores(
  stores: readonly ComparedStore[],
): Map<string, Uint8Array<ArrayBuffer>> {
  const ids = stores.map(({ id }) => id);
  const columns = [
    concatenate(ids.map(fromHex)),
    writeCases(ids),
    BigUint64Array.from(stores, ({ answers }) => answers),
  ];
  const parts = new Map([[COMPARED_STORES_PART, writeColumnFile(columns, COMPARISON_VERSION)]]);
  for (let first = 0; first < stores.length; first += SLUGS_PER_PART) {
    const some = stores.slice(first, first + SLUGS_PER_PART);
    parts.set(comparedSlugsPart(first / SLUGS_PER_PART), writeSlugs(some));
  }
  return parts;
}

function writeSlugs(stores: readonly ComparedStore[]): Uint8Array<ArrayBuffer> {
  const texts = stores.map(({ slug }) => encoder.encode(slug));
  const offsets = new Uint32Array(texts.length + 1);
  texts.forEach(({ length }, index) => {
    offsets[index + 1] = (offsets[index] as number) + length;
  });
  return writeColumnFile([offsets, concatenate(texts)], COMPARISON_VERSION);
}

/** Reads the part of compared stores in place. */
export class ComparedStores {
  readonly storeCount: number;
  private readonly idBytes: Uint8Array;
  private readonly ids: Uint32Array;
  private readonly cases: Uint32Array;
  private readonly fingerprints: Uint32Array;

  /** Checks the layout. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile(COMPARED_STORES_PART, buffer, 3, COMPARISON_VERSION);
    this.storeCount = storeCount;
    this.ids = file.u32(0, storeCount * ID_WORDS);
    this.idBytes = file.u8(0);
    this.cases = file.u32(1, file.bytes(1) === 0 ? 0 : storeCount);
    this.fingerprints = file.u32(2, storeCount * FINGERPRINT_WORDS);
  }

  /** The id of a store, for comparing it with others and writing it out. */
  id(store: number): IdPlace {
    return { bytes: this.idBytes, start: store * ID_BYTES, cases: this.casesOf(store) };
  }

  private casesOf(store: number): number {
    return this.cases[store] ?? 0;
  }

  /** Whether a store has the same fingerprint as one of `other`. */
  answersAlike(store: number, other: ComparedStores, otherStore: number): boolean {
    const [here, there] = [store * FINGERPRINT_WORDS, otherStore * FINGERPRINT_WORDS];
    return (
      this.fingerprints[here] === other.fingerprints[there] &&
      this.fingerprints[here + 1] === other.fingerprints[there + 1]
    );
  }

  /** Whether a store has the same id, letter by letter, as one of `other`. */
  isNamedAlike(store: number, other: ComparedStores, otherStore: number): boolean {
    const [here, there] = [store * ID_WORDS, otherStore * ID_WORDS];
    return (
      this.ids[here] === other.ids[there] &&
      this.ids[here + 1] === other.ids[there + 1] &&
      this.ids[here + 2] === other.ids[there + 2] &&
      this.casesOf(store) === other.casesOf(otherStore)
    );
  }

  /**
   * How many stores from `store` on are the same, one by one, as those of `other` from `otherStore`
   * on; at most `most`.
   */
  countAlike(store: number, other: ComparedStores, otherStore: number, most: number): number {
    let count = 0;
    while (
      count < most &&
      this.answersAlike(store + count, other, otherStore + count) &&
      this.isNamedAlike(store + count, other, otherStore + count)
    ) {
      count++;
    }
    return count;
  }
}

/** Reads a part of slugs in place. */
export class ComparedSlugs {
  private readonly offsets: Uint32Array;
  private readonly texts: Uint8Array;

  /** Checks the layout. @param stores how many it must hold @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, stores: number) {
    const file = new ColumnFile(COMPARED_SLUGS_PREFIX, buffer, 2, COMPARISON_VERSION);
    this.offsets = file.u32(0, stores + 1);
    this.texts = file.u8(1);
    expectEqual('length of slugs', this.texts.length, this.offsets[stores] as number);
  }

  /** The bytes of a slug, by its number in the part. @throws SnapshotFormatError */
  slug(number: number): Uint8Array {
    const [start, end] = [this.offsets[number] as number, this.offsets[number + 1] as number];
    if (start > end) throw new SnapshotFormatError(`slug ${number} is damaged`);
    return this.texts.subarray(start, end);
  }
}

/** How many stores a part of slugs holds. */
export function slugsIn(number: number, storeCount: number): number {
  return Math.min(SLUGS_PER_PART, storeCount - number * SLUGS_PER_PART);
}
