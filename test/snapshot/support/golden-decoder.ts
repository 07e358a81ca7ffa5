/**
 * Reads a compiled snapshot by the drawings in `src/snapshot` alone, so that neither a mistake that
 * the writer and the reader share nor a change of both goes unseen.
 */

import { LANGUAGES } from '../../../src/model/enumerations.ts';
import { STORE_FIELDS } from '../../../src/model/store.ts';

/** The sections of an index part (`column-file.ts`). */
export function sectionsOf(part: Buffer): Buffer[] {
  return Array.from({ length: part.readUInt16LE(6) }, (_, number) => {
    const offset = part.readUInt32LE(16 + 8 * number);
    return part.subarray(offset, offset + part.readUInt32LE(20 + 8 * number));
  });
}

export function words(section: Buffer): number[] {
  return Array.from({ length: section.length / 4 }, (_, index) => section.readUInt32LE(4 * index));
}

/** The records of a chunk (`chunk.ts`). */
export function recordsOf(chunk: Buffer): Buffer[] {
  const count = chunk.readUInt32LE(0);
  const starts = words(chunk.subarray(4, 4 + 4 * count));
  return starts.map((start, index) => chunk.subarray(start, starts[index + 1] ?? chunk.length));
}

/** The key of a field's text, which has the character before it. */
function keyOf(text: string): string {
  return /^.?"(\w+)":/.exec(text)?.[1] ?? '';
}

type Range = readonly [start: number, end: number];

/** A value of the base text, and the text that stands in its place. */
interface Replacement {
  readonly value: Range;
  readonly text: Range;
}

/** Where the header of a record has what follows the variants of the languages, byte by byte. */
const VARIANTS = LANGUAGES.length + 1;
const LOCATIONS = 2 * Math.ceil((VARIANTS + 1) / 2);
/** The number of locations, and whether slots are wide, take a half word each. */
const SLOTS = 4 * Math.ceil((LOCATIONS + 4) / 4);
const REPLACEMENTS = SLOTS + 4;
/** Behind a fingerprint of eight bytes. */
const BOUNDS = REPLACEMENTS + 4 + 8;

const POINT_FIELDS = ['lat', 'lng', 'address', 'addressComponents'];

/** A record (`record.ts`). */
export class GoldenRecord {
  readonly bytes: Buffer;
  readonly locationCount: number;
  private readonly bounds: number[];
  private readonly mainEnd: number;
  /** Replacements of each variant. */
  private readonly variants: Replacement[][];
  private readonly points: {
    object: Range;
    slug: Range;
    fields: Map<string, Range>;
  }[];
  private at = BOUNDS;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.locationCount = bytes.readUInt16LE(LOCATIONS);
    const pointCount = Math.max(0, this.locationCount - 1);
    this.bounds = this.take(STORE_FIELDS.length + 1);
    this.mainEnd = this.takeOne();
    const firsts = this.take(bytes.readUInt8(VARIANTS) + 1);
    this.points = this.times(pointCount, () => {
      const object = this.takeRange();
      const slug = this.takeRange();
      const ends = this.take(4);
      const starts = [slug[1], ...ends];
      const range = (index: number): Range => [starts[index] as number, ends[index] as number];
      const fields = POINT_FIELDS.map((field, index) => [field, range(index)] as const);
      this.takeOne(); // The frame of addressComponents.
      return { object, slug, fields: new Map(fields) };
    });
    if (this.at !== bytes.readUInt32LE(REPLACEMENTS))
      throw new Error('the replacements start elsewhere');
    const replacements = this.times(firsts.at(-1) as number, () => {
      return { value: this.takeRange(), text: this.takeRange() };
    });
    if (this.at !== bytes.readUInt32LE(SLOTS)) throw new Error('the slots start elsewhere');
    this.variants = firsts.slice(0, -1).map((first, variant) => {
      return replacements.slice(first, firsts[variant + 1]);
    });
  }

  /** The answer for one of the requested languages (the last: none) and a location. */
  answer(language: number, location: number): string {
    const variant = this.variants[this.bytes.readUInt8(language)] ?? [];
    const point = this.points[location - 1];
    const pieces = this.bounds.slice(0, -1).map((start, index) => {
      const range: Range = [start, this.bounds[index + 1] as number];
      // The third field is rentalPointSlug, which the base text lacks.
      if (index === 2) return point ? this.text(point.slug) : this.text(range);
      const key = keyOf(this.text(range));
      const mirrored = point?.fields.get(key);
      if (mirrored) return this.text(mirrored);
      if (key !== 'geo' || !point) return this.textIn(variant, range);
      const rest = this.textIn(variant, [this.mainEnd, range[1]]);
      return `,"geo":{"location":${this.textIn(variant, point.object)}${rest}`;
    });
    return `${pieces.join('')}}`;
  }

  /** Base text with its values replaced. */
  private textIn(variant: readonly Replacement[], [start, end]: Range): string {
    let at = start;
    let text = '';
    for (const replacement of variant) {
      const [valueStart, valueEnd] = replacement.value;
      if (valueStart < start || valueEnd > end) continue;
      text += this.text([at, valueStart]) + this.text(replacement.text);
      at = valueEnd;
    }
    return text + this.text([at, end]);
  }

  private text([start, end]: Range): string {
    return this.bytes.toString('utf8', start, end);
  }

  private take(count: number): number[] {
    const taken = words(this.bytes.subarray(this.at, this.at + 4 * count));
    this.at += 4 * count;
    return taken;
  }

  private takeOne(): number {
    return this.take(1)[0] as number;
  }

  private takeRange(): Range {
    const [start = 0, end = 0] = this.take(2);
    return [start, end];
  }

  private times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
}
