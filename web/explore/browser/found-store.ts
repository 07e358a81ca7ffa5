/** A store as the list and the map show it. */

import type { Change } from './state.ts';
import type { Temporal } from './temporal.ts';

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

export interface FoundStore {
  /** In lower case, as the page's address has it; the service takes ids in any case. */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly city: string | null;
  /** Null when the store hides its address. */
  readonly point: Point | null;
  /** Kilometres from the position of the search. */
  readonly distance: number | null;
  /** Set when the point is that of a rental point, not of the store itself. */
  readonly rentalPointSlug: string | null;
  /** Null when opening hours were not asked for. */
  readonly temporal: Temporal | null;
  /** Null but for two snapshots. */
  readonly change: Change | null;
  /** Where a store that has moved was before. */
  readonly movedFrom: Point | null;
}

/** What a page of the list has of a store. */
export interface ListedStore {
  readonly id: string;
  readonly slug: string;
  readonly rentalPointSlug?: string;
  readonly profile: { readonly name: string };
  readonly geo: {
    readonly location: {
      readonly point: Point;
      readonly components: { readonly city: string };
    } | null;
  };
  readonly distance?: number;
  readonly temporal?: Temporal;
}

export function foundStore(listed: ListedStore): FoundStore {
  const { id, slug, profile, geo } = listed;
  return {
    id: id.toLowerCase(),
    slug,
    name: profile.name,
    city: geo.location?.components.city || null,
    point: geo.location?.point ?? null,
    distance: listed.distance ?? null,
    rentalPointSlug: listed.rentalPointSlug ?? null,
    temporal: listed.temporal ?? null,
    change: null,
    movedFrom: null,
  };
}
