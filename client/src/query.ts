/** What lists and single stores are asked for. */
import type { Language, SortField, Store, Verticale } from './contract.ts';
import type { FieldPath } from './fields.ts';

/** Whether it is one word, or any text. */
type IsOne<Word, All = Word> = Word extends unknown ? ([All] extends [Word] ? true : false) : never;

/**
 * What asks for the value of a field: of a boolean the value, of several words those that will do, of an
 * object the same of its fields. `never` where stores are not filtered by the field.
 */
type Asked<Key, Value> = Key extends 'isoCode'
  ? readonly string[]
  : // Depends on the request, as optional fields do.
    Key extends 'current'
    ? never
    : undefined extends Value
      ? never
      : [Value] extends [boolean]
        ? boolean
        : [Value] extends [string]
          ? IsOne<Value> extends true
            ? never
            : readonly Value[]
          : [Value] extends [readonly unknown[] | number]
            ? never
            : keyof Settings<Value> extends never
              ? never
              : Settings<Value>;

/** The fields of a store, or of an object in it, by which lists are filtered. */
export type Settings<Fields> = {
  readonly [Key in keyof Fields as Asked<Key, Exclude<Fields[Key], null>> extends never
    ? never
    : Key]?: Asked<Key, Exclude<Fields[Key], null>> | undefined;
};

/** Which stores. All that is given must hold. */
export interface Filters extends Settings<Store> {
  readonly verticale?:
    | {
        /** Stores that have any of these. */
        readonly in?: readonly Verticale[] | undefined;
        /** Stores that have none of these. */
        readonly notIn?: readonly Verticale[] | undefined;
        readonly equals?: Verticale | undefined;
        readonly notEquals?: Verticale | undefined;
      }
    | undefined;
  /**
   * Stores that show a location in this area, in degrees, as a map has its bounds: longitudes beyond ±180
   * are wrapped. Not together with a position or a delivery point.
   */
  readonly bbox?: Area | undefined;
  /** Stores that are open at this instant or, of one to four, at each. */
  readonly openAt?: Instant | readonly Instant[] | undefined;
  /** Stores with any of these languages. */
  readonly language?: { readonly in: readonly Language[] } | undefined;
  /**
   * Stores that are shown in any of these countries. Case, accents, apostrophes and hyphens do not matter. A
   * comma separates two countries: write a blank for a comma within a name.
   */
  readonly country?: { readonly in: readonly string[] } | undefined;
  /**
   * Beginnings of words of the name, of towns or of postcodes. The best matches come first.
   * Not together with `after`.
   */
  readonly q?: string | undefined;
  /** At most 100 ids, in any case. */
  readonly id?: { readonly in: readonly string[] } | undefined;
}

/** `now` is the start of the current minute. */
export type Instant = Date | 'now';

export type Area = readonly [west: number, south: number, east: number, north: number];

/** How stores are shown. */
export interface View<Fields extends readonly FieldPath[] | undefined> {
  /** Exactly these fields; without them, all. */
  readonly fields?: Fields | undefined;
  readonly lang?: Language | undefined;
}

export interface Position {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Kilometres, 0 to 50. */
  readonly radius: number;
}

/** Where something is to be delivered. */
export interface DeliveryPoint {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /**
   * Without postal code and city no town is excluded, and no special price holds: send both, if you
   * know them.
   */
  readonly postalCode?: string | undefined;
  readonly city?: string | undefined;
}

/** `field__asc` and `field__desc`; a field alone ascends. */
export type SortKey = SortField | `${SortField}__asc` | `${SortField}__desc`;

/** All stores that match, in as many requests as it takes. */
export interface WalkQuery<Fields extends readonly FieldPath[] | undefined>
  extends Filters,
    View<Fields> {
  /** The instant of `opening`, which each store then has: whether it is open, and until when. */
  readonly at?: Instant | undefined;
  /** Most important first. Without it: by distance with a position or delivery point, else the best matches of `q` first, else by id. */
  readonly sort?: readonly SortKey[] | undefined;
  /** Stores with a location within the radius; each then has `distance`. */
  readonly position?: Position | undefined;
  /**
   * Stores that deliver there from the nearest of their locations; each then has `distance` and
   * `deliveryPrice`. Not together with `position` or `bbox`.
   */
  readonly delivery?: DeliveryPoint | undefined;
  /** Most stores of a page; 100 by default. */
  readonly limit?: number | undefined;
}

/** What lists count stores by. */
export type Facet = 'verticales' | 'languages' | 'countries';

/** One page of stores. */
export interface ListQuery<Fields extends readonly FieldPath[] | undefined>
  extends WalkQuery<Fields> {
  /** What is counted of all stores that match. */
  readonly facets?: readonly Facet[] | undefined;
  /** Stores to leave out. */
  readonly skip?: number | undefined;
  /** The stores whose id comes after this one. Not together with `skip`, `sort`, `q`, `position` or `delivery`. */
  readonly after?: string | undefined;
}

export interface GetQuery<Fields extends readonly FieldPath[] | undefined> extends View<Fields> {
  /** The instant of `opening`, as of lists. */
  readonly at?: Instant | undefined;
  /** The rental point whose details are wanted. */
  readonly rentalPointSlug?: string | undefined;
}
