/** What lists and single stores are asked for, and how that is written into a URL. */
import type { Language, SortField, Verticale } from './contract.ts';
import type { FieldPath } from './fields.ts';

/** Which stores. All that is given must hold. */
export interface Filters {
  readonly verticale?: {
    /** Stores that have any of these. */
    readonly in?: readonly Verticale[];
    /** Stores that have none of these. */
    readonly notIn?: readonly Verticale[];
    readonly equals?: Verticale;
    readonly notEquals?: Verticale;
  };
  /** At most 100 ids, in any case. */
  readonly id?: { readonly in: readonly string[] };
}

/** How stores are shown. */
export interface View<Fields extends readonly FieldPath[] | undefined> {
  /** Exactly these fields; without them, all. */
  readonly fields?: Fields;
  readonly lang?: Language;
}

export interface Position {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Kilometres, 0 to 50. */
  readonly radius: number;
}

/** `field__asc` and `field__desc`; a field alone ascends. */
export type SortKey = SortField | `${SortField}__asc` | `${SortField}__desc`;

/** All stores that match, in as many requests as it takes. */
export interface WalkQuery<Fields extends readonly FieldPath[] | undefined>
  extends Filters,
    View<Fields> {
  /** Weightiest first. Without it stores come by id or, with a position, by distance. */
  readonly sort?: readonly SortKey[];
  /** Stores with a location within the radius; each then has `distance`. */
  readonly position?: Position;
  /** Most stores of a page, up to 100, which is the default. */
  readonly limit?: number;
}

/** One page of stores. */
export interface ListQuery<Fields extends readonly FieldPath[] | undefined>
  extends WalkQuery<Fields> {
  /** Stores to leave out. */
  readonly skip?: number;
  /** The stores whose id comes after this one. Not beside `skip`, `sort` or `position`. */
  readonly after?: string;
}

export interface GetQuery<Fields extends readonly FieldPath[] | undefined> extends View<Fields> {
  /** The rental point whose details are wanted. */
  readonly rentalPointSlug?: string;
}

/**
 * The text after `?`: nested objects become dotted names, arrays values with commas between them.
 * @throws TypeError for an array without elements, which asks for nothing
 */
export function searchOf(query: object): string {
  return [...parametersOf(query, '')].join('&');
}

function* parametersOf(query: object, prefix: string): Generator<string> {
  for (const [key, value] of Object.entries(query)) {
    const name = prefix + key;
    if (value === undefined) continue;
    if (Array.isArray(value)) yield `${name}=${elementsOf(value, name)}`;
    else if (typeof value === 'object' && value !== null) yield* parametersOf(value, `${name}.`);
    else yield `${name}=${encodeURIComponent(String(value))}`;
  }
}

function elementsOf(values: readonly unknown[], name: string): string {
  if (values.length === 0) throw new TypeError(`${name} is an empty array.`);
  return values.map((value) => encodeURIComponent(String(value))).join(',');
}
