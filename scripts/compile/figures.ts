/**
 * The `figures` part: what a release looks like as a whole, for telling a bad export from a good one before it goes
 * live. For tools alone, the Worker never reads it. One section: u32 for each figure, in the order of `countFigures`.
 */
import { columnPart, writeColumnFile } from '../../src/snapshot/column-file.ts';
import { FIGURES_NAME } from '../../src/snapshot/manifest.ts';
import type { StoreFacts } from './store-facts.ts';

export type Figures = ReturnType<typeof countFigures>;

/** Writes the `figures` part. */
export function writeFigures(stores: readonly StoreFacts[]): Uint8Array<ArrayBuffer> {
  return writeColumnFile([Uint32Array.from(Object.values(countFigures(stores)))]);
}

/** The table has the figures by name. */
export const FIGURES_PART = columnPart(FIGURES_NAME, 1, (file) => {
  const names = Object.keys(countFigures([]));
  const values = file.u32(0, names.length);
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Figures;
});

/** Counts the figures of a release, over all its stores. */
function countFigures(stores: readonly StoreFacts[]) {
  const shown = stores.filter(({ coordinates }) => coordinates.length > 0);
  const named = stores.filter(({ name }) => name.trim() !== '');
  const names = Map.groupBy(named, ({ name }) => name);
  return {
    /** That show their address. The locations of all others are in no figure. */
    shown: shown.length,
    /** Whose main location lies exactly where the main location of a store before it does. */
    equalPoints: countRepeated(shown.map(({ coordinates: [lat, lng] }) => `${lat} ${lng}`)),
    /** That have the one name, not an empty one, which most have. */
    commonestName: [...names.values()].reduce((most, { length }) => Math.max(most, length), 0),
    /** Whose description in their default language another store before it has. */
    equalDescriptions: countRepeated(stores.flatMap(({ description }) => description ?? [])),
    /** Whose page, if it has one, another store before it has. */
    equalPageUrls: countRepeated(stores.flatMap(({ pageUrl }) => pageUrl ?? [])),
  };
}

/** Counts the values that repeat one before them. */
function countRepeated(values: readonly (string | number)[]): number {
  return values.length - new Set(values).size;
}
