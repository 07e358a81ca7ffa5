/** How stores are found by their slugs, of which the table has the hashes. */
import { expect, it } from 'vitest';
import { textHash } from '../../src/snapshot/hash.ts';
import { SLUGS_PART, writeSlugTable } from '../../src/snapshot/slug-table.ts';

it('the slug table finds all whose slugs have the same hash', () => {
  const twins = ['store-1162789', 'store-1379192'] as const;
  expect(textHash(twins[0])).toBe(textHash(twins[1]));
  const slugs = ['first', twins[0], 'third', twins[1]];
  const table = SLUGS_PART.read(writeSlugTable(slugs).buffer, slugs.length);
  for (const slug of twins) expect(table.candidates(slug)).toEqual([1, 3]);
  expect(table.candidates('third')).toEqual([2]);
});
