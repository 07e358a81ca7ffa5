/** What the compiler writes of stores whose address is hidden, over the fixture stores. */
import { describe, expect, it } from 'vitest';
import { type SourceStore, sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { compileStores } from '../support/stores/compiled-stores.ts';

/** Texts of `store` that lead to where it is. */
function tracesOf({ geo, reviews }: SourceStore): string[] {
  const locations = [geo.main, ...geo.rentalPoints];
  return [
    ...locations.flatMap(({ placeId, address }) => [placeId, address]),
    ...(reviews.external ? [reviews.external.placeId, reviews.external.mapsUrl] : []),
  ].filter((text) => text !== '');
}

/** All objects that the compiler makes of `stores`, as one text. */
async function compiledText(stores: readonly SourceStore[]): Promise<string> {
  const { objects } = await compileStores(stores.map((store) => sourceStoreSchema.parse(store)));
  return [...objects.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n');
}

/** Whether a trace stands in `text`, written as JSON writes it. */
const isIn = (text: string) => (trace: string) => text.includes(JSON.stringify(trace).slice(1, -1));

const hidden = FIXTURE_STORES.filter(({ geo }) => !geo.displayAddress);
const shown = FIXTURE_STORES.filter(({ geo }) => geo.displayAddress);
/** Some stores share an invented address; what a shown one has too is no trace of a hidden one. */
const shownTraces = new Set(shown.flatMap(tracesOf));
const traces = hidden.flatMap(tracesOf).filter((trace) => !shownTraces.has(trace));

describe('compiled stores with a hidden address', () => {
  it('hold no place id, no address and no link to a map', async () => {
    expect(hidden.filter(({ reviews }) => reviews.external).length).toBeGreaterThan(3);
    expect(traces.filter(isIn(await compiledText(FIXTURE_STORES)))).toEqual([]);
  });

  it('would hold every one of them if it were shown', async () => {
    const revealed = hidden.map(({ geo, ...rest }) => ({
      ...rest,
      geo: { ...geo, displayAddress: true },
    }));
    expect(traces.length).toBeGreaterThan(20);
    expect(traces.filter(isIn(await compiledText(revealed)))).toEqual(traces);
  });

  it('are the same, byte for byte, wherever they are hidden', async () => {
    const moved = FIXTURE_STORES.map(({ geo, ...rest }) => {
      if (geo.displayAddress) return { ...rest, geo };
      const elsewhere = shown.find(({ geo: { rentalPoints } }) => rentalPoints.length === 0)?.geo;
      return { ...rest, geo: { ...geo, ...elsewhere, displayAddress: false } };
    });
    const [here, there] = await Promise.all(
      [FIXTURE_STORES, moved].map((stores) =>
        compileStores(stores.map((store) => sourceStoreSchema.parse(store))),
      ),
    );
    expect(moved).not.toEqual(FIXTURE_STORES);
    expect(there?.manifest.parts).toEqual(here?.manifest.parts);
  });
});
