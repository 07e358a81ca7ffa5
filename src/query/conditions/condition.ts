/**
 * Conditions of a list, and counts beside them. Each is declared in one file of this folder: its
 * parameters, its faults, and the condition that a request asks for. `http/query/list-query.ts`
 * makes the schema of lists of the declarations. The conditions of a request decide its canonical
 * text, the names of kept orders, the index parts that are read, and what `find-stores.ts` does.
 */
import type * as z from 'zod';
import type { LoadedRelease } from '../../load/loaded-release.ts';
import type { Facet } from '../../model/facets.ts';
import type { Part } from '../../snapshot/column-file.ts';
import type { RankColumn } from '../../snapshot/rank-column.ts';
import type { Scratch } from '../scratch.ts';
import type { SortKey } from '../sort-order.ts';

/** A condition as it is declared. */
export interface Declaration<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Its parameters. */
  readonly shape: Shape;
  /** Whether it orders the list: its parameters are refused beside `after`. */
  readonly isOrdering?: boolean;
  /**
   * Adds the faults that its parameters have together, or beside others.
   * @param sent has every parameter that was sent; values may have faults of their own
   */
  check?(sent: object, context: z.RefinementCtx): void;
  /**
   * Returns the condition that a request asks for; several, if counts ignore one of them alone.
   * @param values without faults, of the parameters that were sent: at least one, and all that
   * `check` wants together
   */
  toCondition(values: ValuesOf<Shape>): Condition | readonly Condition[];
}

type ValuesOf<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]-?: Exclude<z.output<Shape[Name]>, undefined>;
};

/** Returns whether one of these parameters was sent. */
export function isAnySent(shape: z.ZodRawShape, sent: object): boolean {
  for (const name in shape) if (name in sent) return true;
  return false;
}

/** Values of headers or parameters by their names. */
export type ByName = Readonly<Record<string, string>>;

/** What a request asks for: filters of stores, where the page begins (`after`), counts (`facets`). */
export type Condition = StoreCondition | PageStart | Count;

interface AnyCondition {
  /**
   * Equal for equal conditions and different for others: it is part of tags and of the names of kept
   * orders.
   */
  readonly text: string;
  /** Replaces `text` in the log, where that may be words that people type. */
  readonly logged?: string;
  /** The index parts that it reads. */
  readonly parts: readonly Part[];
  /** The order of the list without `sort`. */
  readonly order?: readonly SortKey[];
  /** Headers of every answer, of a 304 too. */
  readonly headers?: ByName;
  /** Parameters that the link to the next page has instead of what was sent. */
  readonly linked?: ByName;
}

/**
 * How many stores a condition keeps as a rule. Those that keep few are tried first, and orders of few
 * stores are not kept.
 */
export const KEEPS = ['few', 'some', 'many'] as const;

/** Keeps some of the stores: a filter. */
export interface StoreCondition extends AnyCondition {
  readonly kind: 'stores';
  readonly keeps: (typeof KEEPS)[number];
  /** The facet whose counts ignore the condition. */
  readonly facet?: Facet;
  /** Whether answers show what it finds (`Shown`): then every answer opens it. */
  readonly isShown?: true;
  /**
   * Works out what it keeps of a release. Not called where the order is kept, unless answers show
   * what it finds, or count facets.
   */
  open(release: LoadedRelease, scratch: Scratch): KeptStores;
}

/** Returns whether the store with this ordinal matches. */
export type StoreTest = (store: number) => boolean;

/** What a condition keeps of a release. It may have columns of `Scratch`. */
export interface KeptStores extends Shown {
  readonly test: StoreTest;
  /** Ordinals, ascending, where they are found without trying every store. */
  readonly stores?: Uint32Array;
}

/** What answers show of a condition's work. Of a request, one condition at most has each member. */
export interface Shown {
  /** By store, 1 + the index of the location that is shown. Absent: the main one is. */
  readonly locations?: Uint16Array;
  /** By store, the distance of that location: as distances compare, and exactly. */
  readonly millimetres?: Float64Array;
  readonly kilometres?: Float64Array;
  /** By store, what it charges to deliver to the point. */
  readonly prices?: Float64Array;
  /** How well stores fit, where the condition orders them by `relevance`. */
  readonly relevance?: RankColumn;
  /** Headers of the answer that tell what was found. */
  readonly headers?: ByName;
}

/** Says where the page begins. It keeps every store: neither `total` nor the order depends on it. */
export interface PageStart extends AnyCondition {
  readonly kind: 'page';
  /** Returns the ordinal of the first store that may be on the page. */
  first(release: LoadedRelease): number;
}

/** Adds a member to the body of the list. It keeps every store. */
export interface Count extends AnyCondition {
  readonly kind: 'count';
  /** Name of the member. */
  readonly name: string;
  /**
   * Returns the value of the member, as JSON.
   * @param passing returns the ordinals of the stores that pass all conditions but those that a
   * facet ignores
   */
  count(release: LoadedRelease, passing: (facet: Facet) => Uint32Array): string;
}
