/** What the compiler writes of stores whose address is hidden, over the fixture stores. */
import { expect, it } from 'vitest';
import { type SourceStore, sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { compileStores } from '../support/stores/compiled-stores.ts';

/** Where hidden stores lie in the second compilation, with another place by an id and a link too. */
const ELSEWHERE = FIXTURE_STORES.find(
  ({ geo, reviews }) => geo.displayAddress && geo.rentalPoints.length === 0 && reviews.external,
) as SourceStore;

function moved(store: SourceStore): SourceStore {
  const { geo, reviews } = store;
  if (geo.displayAddress) return store;
  const { placeId = '', mapsUrl = '' } = ELSEWHERE.reviews.external ?? {};
  return {
    ...store,
    geo: { ...ELSEWHERE.geo, displayAddress: false },
    reviews: { external: reviews.external && { ...reviews.external, placeId, mapsUrl } },
  };
}

it('stores with a hidden address are the same, byte for byte, wherever they are', async () => {
  const [here, there] = await Promise.all(
    [FIXTURE_STORES, FIXTURE_STORES.map(moved)].map((stores) =>
      compileStores(stores.map((store) => sourceStoreSchema.parse(store))),
    ),
  );
  const hidden = FIXTURE_STORES.filter((store) => moved(store) !== store);
  expect(hidden.filter(({ reviews }) => reviews.external).length).toBeGreaterThan(3);
  expect(there?.manifest.parts).toEqual(here?.manifest.parts);
});
