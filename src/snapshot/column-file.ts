/**
 * The container of an index part: numbered sections of raw columns over one buffer.
 *
 *     offset  size  what
 *     0       4     magic "RSDC"
 *     4       2     version of the format
 *     6       2     number of sections, n
 *     8       4     length of the whole file in bytes
 *     12      4     zero
 *     16      8·n   section table: offset and length in bytes, u32 each
 *     …             the sections in order, each starting on a multiple of 8, gaps zero
 *
 * All numbers are little-endian, as are the typed arrays that view the sections. A section of *numbers*,
 * which count from 0 up to some count, has u16 where that is at most 65,536, and u32 where it is more.
 */
import { FORMAT_VERSION } from './keys.ts';

/** A snapshot object that cannot be used: damaged, cut short, or written by another version. */
export class SnapshotFormatError extends Error {
  override readonly name = 'SnapshotFormatError';
}

/** Fails unless `got` is `expected`. */
export function expectEqual(what: string, got: number | string, expected: number | string): void {
  if (got !== expected) throw new SnapshotFormatError(`${what}: got ${got}, expected ${expected}`);
}

/** Fails when the version of an object is not ours, and says what to do about it. */
export function expectVersion(what: string, got: number): void {
  if (got === FORMAT_VERSION) return;
  const advice =
    got > FORMAT_VERSION
      ? 'deploy a Worker that reads this version'
      : 'publish again with the current command-line tool';
  throw new SnapshotFormatError(
    `${what}: got format version ${got}, expected ${FORMAT_VERSION}; ${advice}`,
  );
}
/** An index part of a release: an object of which a table is made, when a request first needs it. */
export interface Part<Table = unknown> {
  /** In manifests. */
  readonly name: string;
  /**
   * Parts of one kind with the same bytes have one table, such as the ranks of languages that sort all
   * names alike. Others have tables of their own, as two small ones may have the same bytes.
   */
  readonly kind?: string;
  /** Makes the table of a part of so many stores. @throws SnapshotFormatError */
  read(part: ArrayBuffer, storeCount: number): Table;
}

/**
 * Builds an index part that is one column file.
 * @param read makes the table of the sections. @throws SnapshotFormatError
 */
export function columnPart<Table>(
  name: string,
  sectionCount: number,
  read: (file: ColumnFile, storeCount: number) => Table,
): Part<Table> {
  return {
    name,
    read: (part, storeCount) => read(readColumnFile(name, part, sectionCount), storeCount),
  };
}

const MAGIC = 0x43445352; // "RSDC" read as a little-endian u32
const HEADER_BYTES =
  4 /* magic */ + 2 /* version */ + 2 /* sections */ + 4 /* length */ + 4; /* zero */
const TABLE_ENTRY_BYTES = 4 /* offset */ + 4; /* length */
const ALIGNMENT = 8;

/** Returns the next multiple of 8 at or after `offset`. */
export const align = (offset: number): number => Math.ceil(offset / ALIGNMENT) * ALIGNMENT;

/** Lays `sections` out as one file. */
export function writeColumnFile(sections: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const bodyStart = align(HEADER_BYTES + TABLE_ENTRY_BYTES * sections.length);
  const length = sections.reduce((end, section) => align(end + section.byteLength), bodyStart);
  const file = new Uint8Array(length);
  const header = new DataView(file.buffer);
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, FORMAT_VERSION, true);
  header.setUint16(6, sections.length, true);
  header.setUint32(8, length, true);
  let offset = bodyStart;
  sections.forEach((section, index) => {
    const entry = HEADER_BYTES + TABLE_ENTRY_BYTES * index;
    header.setUint32(entry, offset, true);
    header.setUint32(entry + 4, section.byteLength, true);
    file.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), offset);
    offset = align(offset + section.byteLength);
  });
  return file;
}

interface ColumnType<Column> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, offset: number, count: number): Column;
}

/** Typed views of the sections of a column file; nothing is copied or parsed. */
export type ColumnFile = ReturnType<typeof readColumnFile>;

/**
 * Reads a column file in place. Checks magic, version, length and section bounds.
 * @param name of the part, for error messages
 * @throws SnapshotFormatError
 */
export function readColumnFile(name: string, buffer: ArrayBuffer, sectionCount: number) {
  if (buffer.byteLength < HEADER_BYTES) {
    throw new SnapshotFormatError(
      `${name}: got ${buffer.byteLength} bytes, expected at least ${HEADER_BYTES}`,
    );
  }
  const header = new DataView(buffer);
  expectEqual(`${name} magic`, header.getUint32(0, true), MAGIC);
  expectVersion(name, header.getUint16(4, true));
  expectEqual(`${name} sections`, header.getUint16(6, true), sectionCount);
  expectEqual(`${name} length`, buffer.byteLength, header.getUint32(8, true));
  /** Offset and length in bytes of each section. */
  const table = new Uint32Array(buffer, HEADER_BYTES, 2 * sectionCount);
  let end = align(HEADER_BYTES + TABLE_ENTRY_BYTES * sectionCount);
  for (let section = 0; section < sectionCount; section++) {
    expectEqual(`${name} section ${section} offset`, table[2 * section] as number, end);
    end = align(end + (table[2 * section + 1] as number));
  }
  expectEqual(`${name} end of sections`, end, buffer.byteLength);

  /** Returns a column. @param count of elements, where it is known */
  function column<Column>(Type: ColumnType<Column>, section: number, count?: number): Column {
    const bytes = table[2 * section + 1] as number;
    const length = count ?? Math.floor(bytes / Type.BYTES_PER_ELEMENT);
    const what = `${name} section ${section} length`;
    expectEqual(what, bytes, length * Type.BYTES_PER_ELEMENT);
    return new Type(buffer, table[2 * section] as number, length);
  }

  const u8 = (section: number, count?: number) => column(Uint8Array, section, count);

  /** Returns a section of JSON. @throws SnapshotFormatError */
  function json(section: number): unknown {
    try {
      return JSON.parse(new TextDecoder().decode(u8(section)));
    } catch {
      throw new SnapshotFormatError(`${name}: section ${section} cannot be read as JSON`);
    }
  }

  return {
    name,
    u8,
    u32: (section: number, count?: number) => column(Uint32Array, section, count),
    f64: (section: number) => column(Float64Array, section),
    /** Returns a section of numbers below `limit`. */
    numbers: (section: number, count: number, limit: number) =>
      column<NumberColumn>(typeBelow(limit), section, count),
    json,
  };
}

/** Numbers that count from 0 up. */
type NumberColumn = Uint16Array | Uint32Array;

/** Makes a section of `numbers`, which are below `limit`. */
export function numberColumn(numbers: readonly number[], limit: number): NumberColumn {
  return typeBelow(limit).from(numbers);
}

function typeBelow(limit: number) {
  return limit <= 2 ** 16 ? Uint16Array : Uint32Array;
}

/** Lists that several stores may have, each once: stores name them by their numbers. */
export class DistinctLists {
  readonly all: (readonly number[])[] = [];
  private readonly numbers = new Map<string, number>();

  /** Returns the number of a list, a new one for a list that was not there. */
  number(list: readonly number[]): number {
    const key = list.join();
    const known = this.numbers.get(key) ?? this.all.length;
    if (known === this.all.length) {
      this.all.push(list);
      this.numbers.set(key, known);
    }
    return known;
  }
}

/** Returns where each of several pieces ends that lie one after another. */
export function endsOf(pieces: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(pieces, ({ length }) => {
    end += length;
    return end;
  });
}

/** Copies all pieces into one new array, one after another. */
export function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/**
 * Returns the first index from 0 to `count` whose value is not below what is searched for, by binary search.
 * @param isBelow holds up to some index, and not from there on
 */
export function lowerBound(count: number, isBelow: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
