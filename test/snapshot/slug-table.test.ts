/** Slugs are looked up by their hashes. */
import { describe, expect, it } from 'vitest';
import { textHash } from '../../src/hash.ts';
import { SLUGS_PART, writeSlugTable } from '../../src/snapshot/slug-table.ts';

/** Two slugs whose hashes are equal, found by trial. */
const TWINS = twinSlugs();

describe('slug table', () => {
  const read = (slugs: readonly string[]) =>
    SLUGS_PART.read(writeSlugTable(slugs).buffer, slugs.length);

  it('finds all whose slugs have the same hash', () => {
    const table = read(['first', TWINS[0], 'third', TWINS[1]]);
    for (const slug of TWINS) expect(table.candidates(slug)).toEqual([1, 3]);
    expect(table.candidates('third')).toEqual([2]);
  });
});

function twinSlugs(): readonly [string, string] {
  const known = new Map<number, string>();
  for (let number = 0; ; number++) {
    const slug = `store-${number}`;
    const twin = known.get(textHash(slug));
    if (twin !== undefined) return [twin, slug];
    known.set(textHash(slug), slug);
  }
}
