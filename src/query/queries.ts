/**
 * What a request asks for, after parsing: plain values and conditions, no text left to interpret. The
 * conditions of a request decide its canonical text, the names of kept orders, the index parts that are
 * read, and what `find-stores.ts` does.
 */
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { Facet, Language } from '../model/enumerations.ts';
import type { FieldSelection } from '../model/field-paths.ts';
import type { ByName } from '../model/problem.ts';
import type { SortColumn } from '../model/sort-fields.ts';
import type { Part } from '../snapshot/column-file.ts';
import type { RankColumn } from '../snapshot/rank-column.ts';
import type { Scratch } from './scratch.ts';

/** A query and its canonical text, by which equal queries have equal tags. */
export interface ParsedQuery<Query> {
  readonly query: Query;
  readonly canonical: string;
  /** The canonical text for the log, where that leaves something out. */
  readonly logged?: string;
}

/** What is asked of each store. */
export interface ContentQuery {
  /** Null: whole stores. */
  readonly fields: FieldSelection | null;
  /** Null: each store in its own default language. */
  readonly language: Language | null;
  /** The instant of `opening`, in milliseconds since 1970; null: it is not shown. */
  readonly at: number | null;
}

export interface ListQuery extends ContentQuery {
  readonly skip: number;
  readonly limit: number;
  /** Conditions of the request, each once. Stores have to meet all that filter. */
  readonly conditions: readonly Condition[];
  /**
   * Keys of the order, the most important first. Stores that are equal in all of them are in the
   * order of ids; without a key all are. Equal orders are equal lists of keys: each column comes at
   * most once, nothing follows `id` or `slug`, and `id` ascending is never written out.
   */
  readonly sort: readonly SortKey[];
}

export interface GetQuery extends ContentQuery {
  /** Null: the main location. */
  readonly rentalPointSlug: string | null;
}

/** What `changes` is asked for. */
export interface ChangesQuery {
  /** Names of releases, see `releaseName`. */
  readonly since: string;
  /** Null: the release that is live. */
  readonly until: string | null;
  readonly skip: number;
  readonly limit: number;
  /** Only changes of stores whose id comes after this one are on the page; given without `skip`. */
  readonly after: string | null;
}

/** One key of the order of a list. */
export interface SortKey {
  readonly column: SortColumn;
  readonly descending: boolean;
}

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

/** What a condition keeps of a release. It may have columns of `Scratch`. */
export interface KeptStores extends Shown {
  /** Returns whether the store with this ordinal matches. */
  readonly test: (store: number) => boolean;
  /** Ordinals, ascending, where they are found without trying every store. */
  readonly stores?: Uint32Array;
}

/** What answers show of a condition's work. Of a request, one condition at most has each member. */
export interface Shown {
  /** By store, 1 + the index of the location that is shown. Absent: the main one is. */
  readonly locations?: Uint16Array;
  /** By store, the distance of that location: in whole millimetres, as distances compare, and exactly. */
  readonly millimetres?: Float64Array;
  readonly kilometres?: Float64Array;
  /** By store, what it charges to deliver to the point. */
  readonly prices?: Float64Array;
  /** How well stores fit, where the condition orders them by `relevance`. */
  readonly relevance?: RankColumn;
  /** Headers of the answer that say what was found. */
  readonly headers?: ByName;
}

/** Says where the page begins. It keeps every store: neither `total` nor the order depends on it. */
interface PageStart extends AnyCondition {
  readonly kind: 'page';
  /** Returns the ordinal of the first store that may be on the page. */
  first(release: LoadedRelease): number;
}

/** Adds a member to the body of the list. It keeps every store. */
interface Count extends AnyCondition {
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
