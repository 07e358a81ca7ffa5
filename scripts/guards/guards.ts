/**
 * What keeps a senseless export from going live: each guard with what it looks at and how far it
 * lets that go. Bounds are in percent.
 *
 * Some look at what would change against a release that was live before; others count stores that
 * lack something, and look at how their share rises.
 */
import type { Figures } from '../compile/count-figures.ts';

/** What differs between two releases, in stores. */
export interface Change {
  /** Of the release before. */
  readonly stores: number;
  /** Of these, how many are gone. */
  readonly removed: number;
  /** Of these, how many are there, but differ in anything. */
  readonly changed: number;
  /** Of the release before, how many showed their address. */
  readonly shown: number;
  /** Of these, how many lie further away now than a correction would put them. */
  readonly moved: number;
}

/** Some of the stores, and how many there are in all. */
export interface Part {
  readonly count: number;
  readonly of: number;
}

/** How far a guard lets things go, in percent. */
export interface Bounds {
  /** Against the live release. */
  readonly live: number;
  /** Against the release that was live a day ago. */
  readonly day: number;
  /** Where nothing was live before; null: anything. */
  readonly first: number | null;
}

interface GuardBase {
  /** Of the option that moves the bounds. */
  readonly option: string;
  /** Of the option that moves the bound against a day ago alone. */
  readonly dayOption?: string;
  readonly bounds: Bounds;
  /** What becomes of the stores, after `3 of 10 stores would`. */
  readonly would: string;
}

/** Looks at what would change. */
export interface ChangeGuard extends GuardBase {
  readonly looksAt: 'change';
  readonly measure: (change: Change) => Part;
  /** Whether it applies to fewer than 20 stores too, where it refuses only what is true of all of them. */
  readonly guardsFew: boolean;
}

/** Looks at how a share rises, by percentage points. */
export interface ShareGuard extends GuardBase {
  readonly looksAt: 'share';
  readonly measure: (figures: Figures) => Part;
  /** What it looks at where nothing was live before, unless it is the same. */
  readonly first?: { readonly measure: (figures: Figures) => Part; readonly would: string };
  /** As of a `ChangeGuard`. */
  readonly guardsFew: boolean;
}

export type Guard = ChangeGuard | ShareGuard;

/** A rise by so many points, and anything on a first publication. */
const rise = (points: number, first: number | null = null): Bounds => ({
  live: points,
  day: points,
  first,
});

const ofStores = (name: keyof Figures) => (figures: Figures) => ({
  count: figures[name],
  of: figures.stores,
});

const ofShown = (name: keyof Figures) => (figures: Figures) => ({
  count: figures[name],
  of: figures.shown,
});

/** By their codes, which are stable. */
export const GUARDS = {
  removed: {
    looksAt: 'change',
    option: 'max-removed',
    dayOption: 'max-removed-day',
    bounds: { live: 20, day: 30, first: null },
    would: 'go',
    measure: ({ removed, stores }) => ({ count: removed, of: stores }),
    guardsFew: true,
  },
  changed: {
    looksAt: 'change',
    option: 'max-changed',
    dayOption: 'max-changed-day',
    bounds: { live: 50, day: 80, first: null },
    would: 'change',
    measure: ({ changed, stores }) => ({ count: changed, of: stores }),
    guardsFew: false,
  },
  moved: {
    looksAt: 'change',
    option: 'max-moved',
    bounds: { live: 2, day: 2, first: null },
    would: 'move by more than 5 km',
    measure: ({ moved, shown }) => ({ count: moved, of: shown }),
    guardsFew: false,
  },
  hidden: {
    looksAt: 'share',
    option: 'max-hidden',
    bounds: rise(10),
    would: 'hide their address',
    measure: ({ stores, shown }) => ({ count: stores - shown, of: stores }),
    guardsFew: true,
  },
  equal_points: {
    looksAt: 'share',
    option: 'max-equal-points',
    bounds: rise(5, 30),
    would: 'lie exactly where another one does',
    measure: ofShown('equalPoints'),
    first: { measure: ofShown('commonestPoint'), would: 'lie at one and the same point' },
    guardsFew: false,
  },
  empty_names: {
    looksAt: 'share',
    option: 'max-empty-names',
    bounds: rise(5, 5),
    would: 'have no name',
    measure: ofStores('emptyNames'),
    guardsFew: true,
  },
  equal_names: {
    looksAt: 'share',
    option: 'max-equal-names',
    bounds: rise(5, 30),
    would: 'have the name of another one',
    measure: ofStores('equalNames'),
    first: { measure: ofStores('commonestName'), would: 'have one and the same name' },
    guardsFew: false,
  },
  empty_descriptions: {
    looksAt: 'share',
    option: 'max-empty-descriptions',
    bounds: rise(5),
    would: 'have no description',
    measure: ofStores('emptyDescriptions'),
    guardsFew: true,
  },
  equal_descriptions: {
    looksAt: 'share',
    option: 'max-equal-descriptions',
    bounds: rise(5),
    would: 'have the description of another one',
    measure: ofStores('equalDescriptions'),
    guardsFew: false,
  },
  without_verticales: {
    looksAt: 'share',
    option: 'max-without-verticales',
    bounds: rise(5),
    would: 'have no verticale',
    measure: ofStores('withoutVerticales'),
    guardsFew: true,
  },
} as const satisfies Readonly<Record<string, Guard>>;

export type GuardCode = keyof typeof GUARDS;

export const GUARD_CODES = Object.keys(GUARDS) as readonly GuardCode[];

export type Limits = Readonly<Record<GuardCode, Bounds>>;

/** What holds unless options say otherwise. */
export const DEFAULT_LIMITS = Object.fromEntries(
  GUARD_CODES.map((code) => [code, GUARDS[code].bounds]),
) as Limits;
