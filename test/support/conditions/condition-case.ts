/**
 * What tests know of a condition of lists: how the oracle reads it, what random requests ask, and samples
 * of what is accepted and refused. A condition has one file beside this one, and its lines in `all.ts`.
 */
import type fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Point } from '../../../src/model/location.ts';
import type { Entry } from '../oracle/order.ts';

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

export interface Samples {
  /** For each parameter two queries that differ in its value alone, and in what they find. */
  readonly pairs: (stores: readonly SourceStore[]) => Readonly<Record<string, readonly string[]>>;
  /** Two queries that mean the same. */
  readonly same?: readonly (readonly [query: string, other: string])[];
  /** The canonical text of what a query asks for. */
  readonly read?: readonly (readonly [query: string, text: string])[];
  /** Queries that are refused: each fault as `code parameter`. */
  readonly refused?: readonly (readonly [query: string, ...faults: string[]])[];
  /** The same of one fault, with the whole sentence that the caller reads. */
  readonly explained?: readonly (readonly [query: string, fault: string, detail: string])[];
  /** What people write who do not know the parameter, and what they are told. */
  readonly tried?: readonly (readonly [name: string, told: string])[];
}

export const encoded = encodeURIComponent;

/** Where some store shows that it is. */
export function shownPoint(stores: readonly SourceStore[]): Point {
  const [point] = stores.flatMap(({ geo }) => (geo.displayAddress ? [geo.main.point] : []));
  return point ?? { lat: 0, lng: 0 };
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
