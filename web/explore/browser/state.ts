/** What the page shows: everything that a shared address brings back. The token is no part of it. */
import type { Language, Verticale } from '../../../src/model/enumerations.ts';

/** Degrees and kilometres. */
export interface SearchPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

export interface MapView {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Whether opening hours are looked at: not at all, marked beside each store, or only open stores. */
export const OPENING_MODES = ['ignore', 'mark', 'open'] as const;
export type OpeningMode = (typeof OPENING_MODES)[number];

/** How a store differs between two snapshots. */
export const CHANGES = ['added', 'removed', 'moved', 'changed', 'unchanged'] as const;
export type Change = (typeof CHANGES)[number];

/** Shown until the user says otherwise: what there is to look at. */
const NOTABLE_CHANGES: readonly Change[] = ['added', 'removed', 'moved', 'changed'];

export interface ExploreState {
  readonly position: SearchPosition | null;
  readonly verticales: readonly Verticale[];
  /** Whether `verticales` are wanted or unwanted. */
  readonly verticaleFilter: 'in' | 'notIn';
  /** Null: each store in its own default language. */
  readonly lang: Language | null;
  /** `field__asc` or `field__desc`; null: by distance, or by id without a position. */
  readonly sort: string | null;
  /** Fields asked for beside those that the page needs. */
  readonly fields: readonly string[];
  readonly opening: OpeningMode;
  /** The instant that opening hours are looked at, milliseconds since 1970; null: now. */
  readonly at: number | null;
  /** Id of the store whose details are shown. */
  readonly store: string | null;
  /** Null: whatever shows all stores. */
  readonly view: MapView | null;
  /** Whether the list has only what the map shows. */
  readonly onlyInView: boolean;
  /** Of two snapshots: which stores are shown. */
  readonly changes: readonly Change[];
}

export const FIRST_STATE: ExploreState = {
  position: null,
  verticales: [],
  verticaleFilter: 'in',
  lang: null,
  sort: null,
  fields: [],
  opening: 'ignore',
  at: null,
  store: null,
  view: null,
  onlyInView: true,
  changes: NOTABLE_CHANGES,
};

/**
 * A state with something changed. A position that says the same as the one before is that one still,
 * and nothing is ordered by distance without a position.
 */
export function changeState(state: ExploreState, changed: Partial<ExploreState>): ExploreState {
  const { position, sort } = { ...state, ...changed };
  const isSame = JSON.stringify(position) === JSON.stringify(state.position);
  return {
    ...state,
    ...changed,
    position: isSame ? state.position : position,
    sort: position || !sort?.startsWith('distance') ? sort : null,
  };
}

/** The words that the service knows, as the page's form lists them. */
export interface Vocabulary {
  readonly verticales: readonly string[];
  readonly languages: readonly string[];
  readonly sortFields: readonly string[];
  readonly fieldPaths: readonly string[];
}

/** Kilometres; the service takes no larger radius. */
export const LARGEST_RADIUS = 50;

/** What a click on the map searches around. */
export const FIRST_RADIUS = 10;

/** Kilometres within what the service takes, to 10 m. */
export function clampRadius(radius: number): number {
  return Math.round(Math.min(LARGEST_RADIUS, Math.max(0, radius)) * 100) / 100;
}

/** Degrees, to about a metre: longer numbers say nothing. */
export function roundDegrees(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000;
}

/** A longitude as the service takes it, wherever the map was turned to. */
export function wrapLongitude(longitude: number): number {
  const wrapped = ((((longitude + 180) % 360) + 360) % 360) - 180;
  return roundDegrees(wrapped);
}
