/**
 * What a list may ask of stores. Each condition is declared in one file of this folder, which says
 * how its parameters are read and refused, and makes the condition that a request asks for. From the
 * list of declarations in `http/query/list-parameters.ts` come the parameters of the operation and
 * its document; from the conditions of a request come its canonical text, the names of kept orders,
 * the index parts that are read, and what `match-stores.ts` does.
 */
import type { LoadedRelease } from '../../load/loaded-release.ts';
import type { Facet } from '../../model/term-fields.ts';
import type { Asked, Parameter } from '../../parameters/parameter.ts';
import type { JointFault } from '../../parameters/parameter-set.ts';
import type { SentTexts } from '../../parameters/query-text.ts';
import type { RankColumn } from '../../snapshot/store-columns.ts';
import type { FoundStores } from '../found-stores.ts';
import type { StoreTest } from '../nearest.ts';
import type { SortKey } from '../sort-order.ts';
import type { Reading } from '../word-search.ts';

/** A condition as it is declared, with all parameters by which it is asked for. */
export interface Declaration<Parameters extends readonly Parameter[] = readonly Parameter[]> {
  readonly parameters: Parameters;
  /** Finds what is wrong with its parameters together, or beside others. */
  checkTogether?(texts: SentTexts): readonly JointFault[];
  /** Null: it is not asked for. */
  decide(asked: Asked<Parameters>): Condition | null;
}

/** A condition as a request asks for it. */
export type Condition = StoreCondition | PlaceCondition | PageCondition;

interface AnyCondition {
  /**
   * Equal for equal conditions and different for others: it is part of tags and of the names of kept
   * orders.
   */
  readonly text: string;
  /** What the log has in the place of `text`, which may be words that people type. */
  readonly logged?: string;
  /** The index parts that it reads. */
  readonly parts: readonly string[];
  /**
   * The order of the list where `sort` asks for none. A list with such a condition never goes by
   * `after`.
   */
  readonly order?: readonly SortKey[];
}

/** Keeps some of the stores. */
export interface StoreCondition extends AnyCondition {
  readonly kind: 'stores';
  /** Whether it keeps so few stores that orders of them are not worth keeping. */
  readonly isFew: boolean;
  /** The facet whose numbers leave `in` and `equals` of this condition aside, and what is left of it then. */
  readonly counted?: { readonly facet: Facet; readonly rest: StoreCondition | null };
  /** What it keeps of a release. Nothing is worked out before it is asked for. */
  open(release: LoadedRelease): KeptStores;
}

/** What a condition keeps of a release. */
export interface KeptStores {
  /** Ordinals, ascending. */
  stores(): Uint32Array;
  /** Tells of single stores whether they are kept. */
  test(): StoreTest;
  /** Number of the location that is shown of a store that is kept; without it the main one, 0. */
  readonly location?: (store: number) => number;
  /** What it orders by as `relevance`. */
  readonly relevance?: () => RankColumn;
  /** How it was read. */
  readonly reading?: () => Reading;
}

/** Keeps the stores that have a location in some place, and chooses the location that is shown. */
export interface PlaceCondition extends AnyCondition {
  readonly kind: 'place';
  /** @param accepts whether a store passes the other conditions; null: each does */
  search(release: LoadedRelease, accepts: StoreTest | null): FoundStores;
}

/** Says where the page begins. It keeps every store: neither `total` nor the order depends on it. */
export interface PageCondition extends AnyCondition {
  readonly kind: 'page';
  /** Ordinal of the first store that may be on the page. */
  first(release: LoadedRelease): number;
}
