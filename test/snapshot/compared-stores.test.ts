/** What `changes` compares of a release: comparisons themselves are held by the oracle of `changes`. */
import { describe, expect, it } from 'vitest';
import {
  type ComparedStore,
  ComparedStores,
  writeComparedStores,
} from '../../src/snapshot/compared-stores.ts';
import { IDS_PART, writeIdTable } from '../../src/snapshot/id-table.ts';

const store = (id: string): ComparedStore => ({
  ...{ id, slug: `slug-${id}` },
  fingerprint: new Uint8Array(8),
});

describe('the part', () => {
  const two = [store('a'.repeat(24)), store('b'.repeat(24))];

  it('is refused when it holds another number of stores', () => {
    const ids = IDS_PART.read(writeIdTable(['a'.repeat(24)]).buffer, 1);
    expect(() => new ComparedStores(writeComparedStores(two).buffer, ids)).toThrow('length');
  });
});
