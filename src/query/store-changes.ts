/** What changed from one release to another, as an isolate holds it: a few bytes for each change. */
import { ID_DIGITS } from '../snapshot/id-text.ts';
import { CHANGE_KINDS, type ChangeKind } from './compare-releases.ts';

/** One change, as partners see it. */
export interface StoreChange {
  readonly id: string;
  /** Of a removed store the last one that it had. */
  readonly slug: string;
  readonly change: ChangeKind;
}

/** What becomes of a page. */
export interface ChangesPage {
  readonly docs: readonly StoreChange[];
  /** Whether more changes follow. */
  readonly hasMore: boolean;
}

export interface PageWish {
  readonly after: string | null;
  readonly skip: number;
  readonly limit: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class StoreChanges {
  /** What changed where nothing did. */
  static readonly NONE = new StoreChanges([], new Uint8Array(), []);

  readonly total: number;
  /** Texts of the ids, 24 bytes each, in order. */
  private readonly ids: Uint8Array;
  private readonly kinds: Uint8Array;
  /** Where each slug ends. */
  private readonly slugEnds: Uint32Array;
  private readonly slugs: Uint8Array;

  /**
   * @param kinds numbers of `CHANGE_KINDS`, in the order of ids
   * @param ids their texts, one after another
   * @param slugs in UTF-8; they are copied
   */
  constructor(kinds: readonly number[], ids: Uint8Array, slugs: readonly Uint8Array[]) {
    this.total = kinds.length;
    this.kinds = Uint8Array.from(kinds);
    this.ids = ids;
    this.slugEnds = new Uint32Array(this.total);
    this.slugs = new Uint8Array(slugs.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    slugs.forEach((slug, place) => {
      this.slugs.set(slug, end);
      end += slug.length;
      this.slugEnds[place] = end;
    });
  }

  /** Memory that it takes. */
  get bytes(): number {
    const { ids, kinds, slugEnds, slugs } = this;
    return ids.length + kinds.length + slugEnds.byteLength + slugs.length;
  }

  page({ after, skip, limit }: PageWish): ChangesPage {
    const first = Math.min(this.total, after === null ? skip : this.countUpTo(after));
    const end = Math.min(this.total, first + limit);
    const docs = Array.from({ length: end - first }, (_, index) => this.change(first + index));
    return { docs, hasMore: end < this.total };
  }

  /** How many changes come before the first one whose id comes after `id`; by binary search. */
  private countUpTo(id: string): number {
    const wanted = encoder.encode(id);
    let low = 0;
    let high = this.total;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compareId(middle, wanted) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private compareId(place: number, wanted: Uint8Array): number {
    for (let digit = 0; digit < ID_DIGITS; digit++) {
      const own = this.ids[place * ID_DIGITS + digit] as number;
      const difference = own - (wanted[digit] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private change(place: number): StoreChange {
    const idStart = place * ID_DIGITS;
    const slugStart = place === 0 ? 0 : (this.slugEnds[place - 1] as number);
    return {
      id: decoder.decode(this.ids.subarray(idStart, idStart + ID_DIGITS)),
      slug: decoder.decode(this.slugs.subarray(slugStart, this.slugEnds[place])),
      change: CHANGE_KINDS[this.kinds[place] as number] as ChangeKind,
    };
  }
}
