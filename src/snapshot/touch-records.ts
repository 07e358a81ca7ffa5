/** Brings the headers of records near to the processor before they are read one by one. */
import type { Chunk } from './chunk.ts';
import { BASE_SLOTS, SLOTS_WORD, VARIANTS_WORD, WORD } from './record-layout.ts';

/** Words in a line of the processor's cache. */
const LINE_WORDS = 64 / WORD;

/** Of usual records, whose slots are half words. */
const SLOTS_PER_WORD = 2;

/** Takes what `touchRecords` read: without a use of it the compiler would drop the reads. */
const touched = new Uint32Array(1);

/**
 * Reads a word from each line of memory that the headers and the first slots of records lie on. A
 * page that shows little of each store waits for memory most of the time: reads that do not depend
 * on each other wait together, so that the records are at hand when they are cut one by one.
 * @param indexes number of each record in its chunk
 */
export function touchRecords(chunks: readonly Chunk[], indexes: readonly number[]): void {
  const starts = new Uint32Array(chunks.length);
  for (let place = 0; place < starts.length; place++) {
    starts[place] = (chunks[place] as Chunk).recordStart(indexes[place] as number) / WORD;
  }
  let sum = 0;
  for (let place = 0; place < starts.length; place++) {
    const { words } = chunks[place] as Chunk;
    const start = starts[place] as number;
    sum ^= touchLines(words, start, start + VARIANTS_WORD);
  }
  for (let place = 0; place < starts.length; place++) {
    const { words } = chunks[place] as Chunk;
    const start = starts[place] as number;
    const slots = start + (words[start + SLOTS_WORD] as number) / WORD;
    sum ^= touchLines(words, slots, slots + BASE_SLOTS / SLOTS_PER_WORD);
  }
  touched[0] = sum;
}

function touchLines(words: Uint32Array, start: number, end: number): number {
  let sum = 0;
  for (let word = start; word < end; word += LINE_WORDS) sum ^= words[word] as number;
  return sum;
}
