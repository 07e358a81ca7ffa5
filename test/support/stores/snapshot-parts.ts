/** Contents of index parts and chunks, small enough to be looked at byte by byte. */
import { chunkLength, layChunk, writeChunkTable } from '../../../src/snapshot/chunks.ts';

export const CHUNKS = [
  { stores: 3, bytes: 400, hash: 'ab'.repeat(16) },
  { stores: 1, bytes: 100, hash: '01'.repeat(16) },
  { stores: 255, bytes: 70_000, hash: 'f0'.repeat(16) },
];
export const CHUNKED_STORES = 259;

export const chunksPart = (): Uint8Array<ArrayBuffer> => writeChunkTable(CHUNKS);

/** A chunk of these records. */
export function writeChunk(records: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const lengths = records.map(({ length }) => length);
  const chunk = new Uint8Array(chunkLength(lengths));
  layChunk(chunk, lengths).forEach((place, index) => {
    place.set(records[index] as Uint8Array);
  });
  return chunk;
}
