/** The list of chunks, and chunks, as bytes, and what is refused of them. */
import { describe, expect, it } from 'vitest';
import { CHUNKS_PART, Chunk, writeChunkTable } from '../../src/snapshot/chunks.ts';
import {
  CHUNKED_STORES,
  CHUNKS,
  chunksPart,
  writeChunk,
} from '../support/stores/snapshot-parts.ts';

describe('list of chunks', () => {
  const table = CHUNKS_PART.read(chunksPart().buffer, CHUNKED_STORES);

  it('finds the chunk of every store', () => {
    const expected = CHUNKS.flatMap(({ stores }, chunk) => Array(stores).fill(chunk));
    expect(expected.map((_, store) => table.chunkOf(store))).toEqual(expected);
    expect([...table.firsts]).toEqual([0, 3, 4, 259]);
    expect([0, 1, 2].map((chunk) => table.storesIn(chunk))).toEqual([3, 1, 255]);
  });

  it('may be empty', () => {
    expect(CHUNKS_PART.read(writeChunkTable([]).buffer, 0).chunkCount).toBe(0);
  });

  it('tells which of some names are those of its chunks', () => {
    const [first, , last] = CHUNKS.map(({ hash }) => hash) as [string, string, string];
    const alike = `${first.slice(0, 8)}${'0'.repeat(24)}`;
    const unknown = '0'.repeat(32);
    expect(table.listed(new Set([alike, last, unknown, first]))).toEqual(new Set([first, last]));
    expect(table.listed(new Set())).toEqual(new Set());
  });

  it('is refused when it holds other stores than the release', () => {
    expect(() => CHUNKS_PART.read(chunksPart().buffer, 260)).toThrow(
      'chunks stores: got 259, expected 260',
    );
  });
});

describe('chunk', () => {
  const records = [4, 12, 8].map((length, index) => new Uint8Array(length).fill(index + 1));

  it('of another number of records is refused', () => {
    expect(() => new Chunk(writeChunk(records).buffer, 2)).toThrow(
      'chunk records: got 3, expected 2',
    );
  });

  it('of a length that is no multiple of 4 is refused', () => {
    expect(() => new Chunk(writeChunk(records).slice(0, -1).buffer, 3)).toThrow(
      'chunk length modulo 4: got 3, expected 0',
    );
  });
});
