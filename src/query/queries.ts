/** What a request asks for, after parsing: plain values, no text left to interpret. */
import type { Language } from '../model/enumerations.ts';
import type { FieldSelection } from '../model/field-paths.ts';
import type { SortColumn } from '../model/sort-fields.ts';

/** Verticale conditions as masks (see `verticaleMask`); all three must hold, 0 asks for nothing. */
export interface VerticaleFilter {
  /** Every one of these (`verticale.equals`). */
  readonly allOf: number;
  /** At least one of these (`verticale.in`). */
  readonly anyOf: number;
  /** None of these (`verticale.notIn`, `verticale.notEquals`). */
  readonly noneOf: number;
}

/** Degrees and kilometres, already within the limits of the contract. */
export interface PositionFilter {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

export interface SortKey {
  readonly column: SortColumn;
  readonly descending: boolean;
}

export interface ListQuery {
  readonly skip: number;
  readonly limit: number;
  /**
   * Only stores whose id, as a text, comes after this one are on the page; null: all may be. `total`
   * counts the others too. Given with the default order alone, and without `skip`.
   */
  readonly after: string | null;
  /** Ids in lower case, ascending, each once: only these stores match. Null: any. */
  readonly ids: readonly string[] | null;
  /**
   * The order, decided: key by key, weightiest first, and where all are equal by id ascending.
   * Empty means by id ascending alone. Equal orders are equal lists of keys: each column comes at
   * most once, nothing follows `id` or `slug`, and `id` ascending is never written out.
   */
  readonly sort: readonly SortKey[];
  /** Null: whole stores. */
  readonly fields: FieldSelection | null;
  readonly verticales: VerticaleFilter;
  readonly position: PositionFilter | null;
  /** Null: each store in its own default language. */
  readonly language: Language | null;
}

export interface GetQuery {
  readonly fields: FieldSelection | null;
  readonly language: Language | null;
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
  /** As in `ListQuery`; given without `skip`. */
  readonly after: string | null;
}
