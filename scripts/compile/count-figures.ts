/**
 * The `figures` part: what a release looks like as a whole, for telling a bad export from a good one before
 * it goes live. For tools alone, the Worker never reads it. One section: u32 for each of `FIGURES`, in
 * their order.
 */
import { ColumnFile, type Part, writeColumnFile } from '../../src/snapshot/column-file.ts';
import { FIGURES_NAME } from '../../src/snapshot/manifest.ts';
import { isEmpty, type StoreFacts } from './store-facts.ts';

/** What is counted, each in stores. */
const FIGURES = [
  'stores',
  /** That show their address. The places of all others are in no figure. */
  'shown',
  /** Whose main location lies exactly where that of another store before it does. */
  'equalPoints',
  /** That lie at the one point where most do. */
  'commonestPoint',
  'emptyNames',
  /** Whose name, not an empty one, another store before it has. */
  'equalNames',
  /** That have the one name which most have. */
  'commonestName',
  /** Without a description in their default language. */
  'emptyDescriptions',
  'equalDescriptions',
  'withoutVerticales',
] as const;

export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

/** Writes the `figures` part. */
export function writeFigures(figures: Figures): Uint8Array<ArrayBuffer> {
  return writeColumnFile([Uint32Array.from(FIGURES, (name) => figures[name])]);
}

/** The table has the figures by name. */
export const FIGURES_PART: Part<Figures> = {
  name: FIGURES_NAME,
  read(part) {
    const values = new ColumnFile('figures', part, 1).u32(0, FIGURES.length);
    return Object.fromEntries(FIGURES.map((name, index) => [name, values[index]])) as Figures;
  },
};

/** What is told of a release as a whole, counted over all its stores. */
export function countFigures(stores: readonly StoreFacts[]): Figures {
  const shown = stores.filter(({ coordinates }) => coordinates.length > 0);
  const points = countEqual(shown.map(({ coordinates: [lat, lng] }) => `${lat} ${lng}`));
  const named = stores.flatMap(({ name }) => (isEmpty(name) ? [] : [name]));
  const names = countEqual(named);
  const described = stores.flatMap(({ description }) => description ?? []);
  return {
    stores: stores.length,
    shown: shown.length,
    equalPoints: points.repeated,
    commonestPoint: points.commonest,
    emptyNames: stores.length - named.length,
    equalNames: names.repeated,
    commonestName: names.commonest,
    emptyDescriptions: stores.length - described.length,
    equalDescriptions: countEqual(described).repeated,
    withoutVerticales: stores.filter(({ words }) => words.verticales.length === 0).length,
  };
}

/** How many values repeat one before them, and how often the most frequent one occurs. */
function countEqual(values: readonly (string | number)[]) {
  const groups = Map.groupBy(values, (value) => value);
  const commonest = [...groups.values()].reduce((most, { length }) => Math.max(most, length), 0);
  return { repeated: values.length - groups.size, commonest };
}
