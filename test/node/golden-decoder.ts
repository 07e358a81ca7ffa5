/**
 * Reads a compiled snapshot by the drawings in `src/snapshot` alone, so that neither a mistake that
 * the writer and the reader share nor a change of both goes unseen.
 */

import { keyOf, slotCount } from './golden-frames.ts';

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

/** The hash by which slugs are looked up (`hash.ts`): FNV-1a, its high half folded into the low one. */
export function slugHash(text: string): number {
  let hash = 0x811c9dc5n;
  for (const unit of Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))) {
    hash = ((hash ^ BigInt(unit)) * 0x01000193n) % 2n ** 32n;
  }
  return Number(hash ^ (hash >> 16n));
}

type Range = readonly [start: number, end: number];

interface Framed {
  readonly range: Range;
  /** First slot of its frame. */
  readonly frame: number;
}

const VARIANT_FIELDS = ['profile', 'localization', 'pricing', 'booking'];
const POINT_FIELDS = ['lat', 'lng', 'address', 'addressComponents'];

/** The objects of the base text that no variant replaces, in the order of their frames. */
const BASE_OBJECTS = [
  ...['contact', 'branding', 'modules', 'reviews', 'temporal', 'metadata'],
  ...['currency', 'addressComponents'],
];

/** A record (`record-layout.ts`). */
export class GoldenRecord {
  readonly bytes: Buffer;
  readonly locationCount: number;
  private readonly bounds: number[];
  private readonly variants: { fields: Map<string, Framed>; geo: number }[];
  private readonly geos: {
    start: number;
    mainEnd: number;
    end: number;
    frame: number;
    points: Range[];
  }[];
  private readonly points: { slug: Range; fields: Map<string, Range>; frame: number }[];
  private readonly slotsStart: number;
  private at = 24;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.locationCount = bytes.readUInt16LE(10);
    const pointCount = Math.max(0, this.locationCount - 1);
    this.bounds = this.take(28);
    this.variants = this.times(bytes.readUInt8(9), () => ({
      fields: new Map(VARIANT_FIELDS.map((field) => [field, this.takeFramed()])),
      geo: this.takeOne(),
    }));
    this.geos = this.times(bytes.readUInt16LE(12), () => {
      const [start = 0, mainEnd = 0, end = 0, frame = 0] = this.take(4);
      return { start, mainEnd, end, frame, points: this.times(pointCount, () => this.takeRange()) };
    });
    this.points = this.times(pointCount, () => {
      const slug = this.takeRange();
      const ends = this.take(4);
      const starts = [slug[1], ...ends];
      const range = (index: number): Range => [starts[index] as number, ends[index] as number];
      const fields = POINT_FIELDS.map((field, index) => [field, range(index)] as const);
      return { slug, fields: new Map(fields), frame: this.takeOne() };
    });
    this.slotsStart = this.takeOne();
  }

  get fingerprint(): string {
    return this.bytes.toString('hex', 16, 24);
  }

  /** The answer for one of the nine requested languages (the last: none) and a location. */
  answer(language: number, location: number): string {
    const variant = this.variants[this.bytes.readUInt8(language)];
    const fields = new Map(variant && [...variant.fields].map(([key, { range }]) => [key, range]));
    const point = this.points[location - 1];
    for (const [key, range] of point?.fields ?? []) fields.set(key, range);
    const pieces = this.bounds.slice(0, -1).map((start, index) => {
      const text = this.text([start, this.bounds[index + 1] as number]);
      // The third field is rentalPointSlug, which the base text lacks.
      if (index === 2) return point ? this.text(point.slug) : text;
      const key = keyOf(text);
      if (key === 'geo' && this.locationCount > 0) return this.geoText(variant?.geo ?? 0, location);
      return this.text(fields.get(key) ?? [start, start]) || text;
    });
    return `${pieces.join('')}}`;
  }

  /** Every text that has a frame: the field with the character before it, and its first slot. */
  *framedTexts(): Generator<{ readonly text: string; readonly frame: number }> {
    const base = this.bounds.slice(0, -1).map((start, index) => {
      return this.text([start, this.bounds[index + 1] as number]);
    });
    let frame = 0;
    for (const key of BASE_OBJECTS) {
      const text = base.find((each) => keyOf(each) === key) ?? '';
      yield { text, frame };
      frame += slotCount(JSON.parse(`{${text.slice(1)}}`)[key], key);
    }
    for (const { fields } of this.variants) {
      for (const { range, frame } of fields.values()) yield { text: this.text(range), frame };
    }
    for (const { start, end, frame } of this.geos) yield { text: this.text([start, end]), frame };
    for (const { fields, frame } of this.points) {
      yield { text: this.text(fields.get('addressComponents') ?? [0, 0]), frame };
    }
  }

  slot(number: number): number {
    const isWide = this.bytes.readUInt16LE(14) === 1;
    return isWide
      ? this.bytes.readUInt32LE(this.slotsStart + 4 * number)
      : this.bytes.readUInt16LE(this.slotsStart + 2 * number);
  }

  private geoText(number: number, location: number): string {
    const { start, mainEnd, end, points } = this.geos[number] as (typeof this.geos)[number];
    const point = points[location - 1];
    if (!point) return this.text([start, end]);
    return `,"geo":{"location":${this.text(point)}${this.text([mainEnd, end])}`;
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

  private takeFramed(): Framed {
    return { range: this.takeRange(), frame: this.takeOne() };
  }

  private times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
}
