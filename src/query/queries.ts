/** What a request asks for, after parsing: plain values, no text left to interpret. */
import type { Language } from '../model/enumerations.ts';
import type { FieldSelection } from '../model/field-paths.ts';
import type { Condition } from './conditions/condition.ts';
import type { SortKey } from './sort-order.ts';

/** A query and its canonical text, by which equal queries have equal tags. */
export interface ParsedQuery<Query> {
  readonly query: Query;
  readonly canonical: string;
  /** The canonical text for the log, where that leaves something out. */
  readonly logged?: string;
}

export interface ListQuery {
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
  /** Null: whole stores. */
  readonly fields: FieldSelection | null;
  /** Null: each store in its own default language. */
  readonly language: Language | null;
  /** The instant of `opening`, in milliseconds since 1970; null: it is not shown. */
  readonly at: number | null;
}

/**
 * Returns whether `Link` leads to the next page by `after`: in the order of ids, unless a position,
 * a delivery point or `q` was sent.
 */
export function goesByAfter({ sort, conditions }: ListQuery): boolean {
  return sort.length === 0 && conditions.every(({ order }) => order === undefined);
}

export interface GetQuery {
  readonly fields: FieldSelection | null;
  readonly language: Language | null;
  /** Null: the main location. */
  readonly rentalPointSlug: string | null;
  /** As `ListQuery.at`. */
  readonly at: number | null;
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
