/** Tables of a release, and chunks, as bytes: what readers refuse of them, and how slugs and chunks are looked up. */
import { expect, it } from 'vitest';
import { CHUNKS_PART, readChunk } from '../../src/snapshot/chunks.ts';
import { readComparedStores, writeComparedStores } from '../../src/snapshot/compared-stores.ts';
import { textHash } from '../../src/snapshot/hash.ts';
import { IDS_PART, writeIdTable } from '../../src/snapshot/id-table.ts';
import { SLUGS_PART, writeSlugTable } from '../../src/snapshot/slug-table.ts';
import { chunksPart, writeChunk } from '../support/stores/snapshot-parts.ts';

it('a list of chunks is refused when it holds other stores than the release', () => {
  expect(() => CHUNKS_PART.read(chunksPart().buffer, 260)).toThrow(
    'chunks stores: got 259, expected 260',
  );
});

const records = [4, 12, 8].map((length, index) => new Uint8Array(length).fill(index + 1));

it.each([
  ['another number of records', 0, 2, 'chunk records: got 3, expected 2'],
  ['a length that is no multiple of 4', 1, 3, 'chunk length modulo 4: got 3, expected 0'],
])('a chunk of %s is refused', (_what, missing, count, message) => {
  const bytes = writeChunk(records);
  const { buffer } = bytes.slice(0, bytes.length - missing);
  expect(() => readChunk(buffer, count)).toThrow(message);
});

it('the slug table finds all whose slugs have the same hash', () => {
  const twins = ['store-1162789', 'store-1379192'] as const;
  expect(textHash(twins[0])).toBe(textHash(twins[1]));
  const slugs = ['first', twins[0], 'third', twins[1]];
  const table = SLUGS_PART.read(writeSlugTable(slugs).buffer, slugs.length);
  for (const slug of twins) expect(table.candidates(slug)).toEqual([1, 3]);
  expect(table.candidates('third')).toEqual([2]);
});

it('compared stores are refused when they are of another number', () => {
  const [one, other] = ['a'.repeat(24), 'b'.repeat(24)] as const;
  const two = [one, other].map((id) => ({ id, slug: id, fingerprint: new Uint8Array(8) }));
  const ids = IDS_PART.read(writeIdTable([one]).buffer, 1);
  expect(() => readComparedStores(writeComparedStores(two).buffer, ids)).toThrow('length');
});
