/** Counts what the `figures` part tells of a release. */
import type { Figures } from '../../src/snapshot/store-columns.ts';

/** What is counted of a store. */
export interface CountedStore {
  readonly name: string;
  readonly verticales: number;
  /** Latitude and longitude of each displayed location in turn, the main one first. */
  readonly coordinates: readonly number[];
  /** A hash of the description in the default language; null when it is empty. */
  readonly description: number | null;
}

/** What is told of a release as a whole, counted over all its stores. */
export function countFigures(stores: readonly CountedStore[]): Figures {
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
    withoutVerticales: stores.filter(({ verticales }) => verticales === 0).length,
  };
}

/** Whether a text says nothing. */
export function isEmpty(text: string): boolean {
  return text.trim() === '';
}

/** How many values repeat one before them, and how often the most frequent one occurs. */
function countEqual(values: readonly (string | number)[]) {
  const counts = new Map<string | number, number>();
  let commonest = 0;
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > commonest) commonest = count;
  }
  return { repeated: values.length - counts.size, commonest };
}
