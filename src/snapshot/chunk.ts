/**
 * A chunk: the records of a few stores whose ids follow each other.
 *
 *     offset  size  what
 *     0       4     number of records, r
 *     4       4·r   where each record starts, in bytes from the start of the chunk
 *     …             the records, each on a multiple of 4, the last one ends the chunk
 *
 * Numbers are little-endian u32. `record-layout.ts` draws a record.
 */
import { expectEqual } from './format-error.ts';

const WORD = Uint32Array.BYTES_PER_ELEMENT;

/** How long a chunk of records of these lengths is. */
export function chunkLength(recordLengths: readonly number[]): number {
  return recordLengths.reduce((end, length) => end + length, WORD * (1 + recordLengths.length));
}

/**
 * Writes the header of a chunk into its memory.
 * @param recordLengths multiples of 4
 * @returns the places of the records in `chunk`, which are to be filled
 */
export function layChunk(chunk: Uint8Array, recordLengths: readonly number[]): Uint8Array[] {
  const view = new DataView(chunk.buffer, chunk.byteOffset);
  view.setUint32(0, recordLengths.length, true);
  let end = WORD * (1 + recordLengths.length);
  return recordLengths.map((length, index) => {
    view.setUint32(WORD * (1 + index), end, true);
    const start = end;
    end += length;
    return chunk.subarray(start, end);
  });
}

/** A chunk in memory, viewed as bytes, as half words and as words. */
export class Chunk {
  readonly bytes: Uint8Array;
  readonly halves: Uint16Array;
  readonly words: Uint32Array;

  /**
   * Checks the number of records.
   * @param count of the records it must hold
   * @throws SnapshotFormatError
   */
  constructor(buffer: ArrayBuffer, count: number) {
    expectEqual('chunk length modulo 4', buffer.byteLength % WORD, 0);
    this.bytes = new Uint8Array(buffer);
    this.halves = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
    expectEqual('chunk records', this.words[0] ?? 0, count);
  }

  /** Gives its memory back; it must not be used any more. */
  giveBack(): void {
    // Moves the content into a new buffer of no bytes.
    (this.bytes.buffer as ArrayBuffer).transfer(0);
  }

  /** Where a record starts, in bytes from the start of the chunk. */
  recordStart(record: number): number {
    return this.words[1 + record] as number;
  }
}
