/** What the page shows: everything that a shared address brings back. The token is no part of it. */
import type { Position } from '../../../../client/src/query.ts';
import type { Language, Verticale } from '../../../../src/model/enumerations.ts';

/** A place around which stores are searched. */
export interface Place extends Position {
  /** As people call it; null for degrees that were typed. */
  readonly name: string | null;
}

export interface MapView {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** How the list is ordered: `fit` as the service answers to words that were searched. */
export const ORDERS = ['nearest', 'fit', 'name', 'rating'] as const;
export type Order = (typeof ORDERS)[number];

export interface ExploreState {
  /** Null: the search is by words, or in the map's area. */
  readonly place: Place | null;
  /** Words for which names, towns and postcodes are searched; never beside a place. */
  readonly words: string;
  readonly verticales: readonly Verticale[];
  readonly languages: readonly Language[];
  readonly countries: readonly string[];
  readonly isOpenNow: boolean;
  /** Null: what suits the question. */
  readonly order: Order | null;
  /** Id of the store whose details are shown. */
  readonly store: string | null;
  /** Null: a view of the place, or of most stores. */
  readonly view: MapView | null;
}

/** What `Clear filters` brings back. */
export const NO_FILTERS = {
  verticales: [],
  languages: [],
  countries: [],
  isOpenNow: false,
} as const satisfies Partial<ExploreState>;

export function countFilters(state: ExploreState): number {
  const { verticales, languages, countries, isOpenNow } = state;
  return Number(isOpenNow) + verticales.length + languages.length + countries.length;
}

export const hasFilters = (state: ExploreState): boolean => countFilters(state) > 0;

/** Returns the orders that there are for a question, the usual one first. */
export function ordersOf({ place, words }: ExploreState): readonly Order[] {
  if (place) return ['nearest', 'name', 'rating'];
  return words === '' ? ['name', 'rating'] : ['fit', 'name', 'rating'];
}

/** Returns the order of the list: the chosen one, if the question has it. */
export function orderOf(state: ExploreState): Order {
  const orders = ordersOf(state);
  return orders.find((order) => order === state.order) ?? (orders[0] as Order);
}

/** Kilometres; the service takes no larger radius. */
export const MAX_RADIUS = 50;

/** Kilometres around a town. */
export const DEFAULT_RADIUS = 20;

/** Returns kilometres within what the service takes, to 10 m. */
export function clampRadius(radius: number): number {
  return Math.round(Math.min(MAX_RADIUS, Math.max(0, radius)) * 100) / 100;
}

/** Rounds degrees to about a metre: longer numbers say nothing. */
export function roundDegrees(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000;
}
