/**
 * What tests know of a condition of lists: how the oracle reads it, what random requests ask, and samples
 * of what is accepted and refused. A condition has one file beside this one, and its lines in `all.ts`.
 */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Entry } from '../oracle/order.ts';
import { anyPoint } from '../stores/random-values.ts';

/** One thing that a request asks for. */
export interface Asked<Value> {
  /** Values that are legal, over these stores. */
  draw(stores: readonly SourceStore[]): fc.Arbitrary<Value>;
  /** The parameters that ask for it; the texts are not encoded yet. */
  write(value: Value): Readonly<Record<string, string | readonly string[]>>;
  /** What a request may not ask for at the same time. */
  readonly notBeside?: readonly string[];
  /** How a store is then shown and ordered; null: it does not match. Without it every store does. */
  keep?(value: Value, stores: readonly SourceStore[]): (store: SourceStore) => Found | null;
  /**
   * What the answer has besides.
   * @param matching the stores that match where some of `ASKED` are left aside
   * @param stores all of the release
   */
  member?(
    value: Value,
    matching: (leftAside: readonly string[]) => readonly SourceStore[],
    stores: readonly SourceStore[],
  ): object;
  /** The headers of the answer that tell of it. */
  headers?(value: Value, stores: readonly SourceStore[]): Readonly<Record<string, string>>;
}

type Found = Partial<Omit<Entry, 'store'>>;

export const FOUND: Found = {};

/** Rows of tables. */
type Rows = readonly (readonly string[])[];

export interface Samples {
  /** Two queries that mean the same. */
  readonly same?: Rows;
  /** A query, and the canonical text of what it asks for. */
  readonly read?: Rows;
  /** A query that is refused, and each fault as `code parameter`. */
  readonly refused?: Rows;
  /** The same of one fault, with the whole sentence that the caller reads. */
  readonly explained?: Rows;
  /** What people write who do not know the parameter, and what they are told. */
  readonly tried?: Rows;
}

export const encoded = encodeURIComponent;

/** Locations of the stores, points near them, and any others. @param step to the north, and to the east */
export function pointsAbout(stores: readonly SourceStore[], step: fc.Arbitrary<number>) {
  const locations = stores.flatMap(({ geo }) => [geo.main, ...geo.rentalPoints]);
  const at = fc.constantFrom({ lat: 0, lng: 0 }, ...locations.map(({ point }) => point));
  const near = fc
    .tuple(at, step, step)
    .map(([{ lat, lng }, north, east]) => ({ lat: lat + north, lng: lng + east }))
    .filter(({ lat, lng }) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180);
  return fc.oneof(at, near, anyPoint);
}

/** An array of words that keeps the stores by the words that they have. */
export function anyOf<Word extends string>(
  name: string,
  draw: (stores: readonly SourceStore[]) => fc.Arbitrary<readonly Word[]>,
  keeps: (asked: readonly Word[], store: SourceStore) => boolean,
): Asked<readonly Word[]> {
  return {
    draw,
    write: (words) => ({ [name]: words }),
    keep: (words) => (store) => (keeps(words, store) ? FOUND : null),
  };
}
