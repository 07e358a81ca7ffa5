/**
 * The `figures` part: what a release looks like as a whole, for telling a bad export from a good one before
 * it goes live. For tools alone, the Worker never reads it. One section: u32 for each of `FIGURES`, in
 * their order.
 */
import { columnPart, writeColumnFile } from '../../src/snapshot/column-file.ts';
import { FIGURES_NAME } from '../../src/snapshot/manifest.ts';
import { isEmpty, type StoreFacts } from './store-facts.ts';

/** What is counted, each in stores. */
const FIGURES = [
  /** That show their address. The locations of all others are in no figure. */
  'shown',
  /** Whose main location lies exactly where the main location of a store before it does. */
  'equalPoints',
  /** That have the one name, not an empty one, which most have. */
  'commonestName',
  /** Whose description in their default language another store before it has. */
  'equalDescriptions',
  /** Whose page, if it has one, another store before it has. */
  'equalPageUrls',
] as const;

export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

/** Writes the `figures` part: counts what is told of a release as a whole, over all its stores. */
export function writeFigures(stores: readonly StoreFacts[]): Uint8Array<ArrayBuffer> {
  const figures = countFigures(stores);
  return writeColumnFile([Uint32Array.from(FIGURES, (name) => figures[name])]);
}

/** The table has the figures by name. */
export const FIGURES_PART = columnPart(FIGURES_NAME, 1, (file) => {
  const values = file.u32(0, FIGURES.length);
  return Object.fromEntries(FIGURES.map((name, index) => [name, values[index]])) as Figures;
});

/** Counts the figures of a release, over all its stores. */
function countFigures(stores: readonly StoreFacts[]): Figures {
  const shown = stores.filter(({ coordinates }) => coordinates.length > 0);
  const names = Map.groupBy(stores, ({ name }) => (isEmpty(name) ? null : name));
  names.delete(null);
  return {
    shown: shown.length,
    equalPoints: countRepeated(shown.map(({ coordinates: [lat, lng] }) => `${lat} ${lng}`)),
    commonestName: [...names.values()].reduce((most, { length }) => Math.max(most, length), 0),
    equalDescriptions: countRepeated(stores.flatMap(({ description }) => description ?? [])),
    equalPageUrls: countRepeated(stores.flatMap(({ pageUrl }) => pageUrl ?? [])),
  };
}

/** Counts the values that repeat one before them. */
function countRepeated(values: readonly (string | number)[]): number {
  return values.length - new Set(values).size;
}
