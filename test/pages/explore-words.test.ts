/** What `/explore` makes of stores, towns and opening hours before it shows them. */
import { describe, expect, it } from 'vitest';
import type { StoreHours } from '../../client/src/index.ts';
import { FIRST_STATE } from '../../web/explore/browser/model/address.ts';
import { boxAround, covers, firstView, isInside } from '../../web/explore/browser/model/area.ts';
import { describeFound } from '../../web/explore/browser/model/describe.ts';
import { foundStore, ordered } from '../../web/explore/browser/model/found-store.ts';
import { comingWeek, openingOf } from '../../web/explore/browser/model/opening-words.ts';
import { findTowns, townNamed } from '../../web/explore/browser/model/towns.ts';
import { languageOf } from '../../web/explore/browser/model/words.ts';
import type { Found } from '../../web/explore/browser/service/search.ts';

const HOURS = {
  temporal: {
    timezone: 'Europe/Paris',
    schedule: {
      openingHours: [
        { id: 'h1', day: '*', from: '09:00', to: '18:00', open: true },
        { id: 'h2', day: '5', from: '20:00', to: '22:00', open: true },
        { id: 'h3', day: '0', from: '00:00', to: '00:00', open: false },
      ],
      openingHoursLowSeason: [],
      lowSeasonRanges: [],
      closedRanges: [{ id: 'r1', from: '2026-05-23T10:00:00Z', to: '2026-05-24T10:00:00Z' }],
    },
  },
} as unknown as StoreHours;

const NOWHERE = {
  temporal: { ...HOURS.temporal, timezone: 'Nowhere/Atlantis' },
} as unknown as StoreHours;

describe('opening hours', () => {
  it('begin with the day of the store, and tell what closures touch', () => {
    const weekAt = (at: string) => comingWeek(HOURS, new Date(at));
    expect(weekAt('2026-05-20T22:00:00Z')?.slice(0, 4)).toEqual([
      { name: 'Thursday', times: '09:00–18:00' },
      { name: 'Friday', times: '09:00–18:00, 20:00–22:00' },
      { name: 'Saturday', times: '09:00–18:00, closed in part or whole' },
      { name: 'Sunday', times: 'Closed' },
    ]);
    expect(weekAt('2026-05-20T21:59:59Z')?.[0]?.name).toBe('Wednesday');
  });

  it('tell when a store closes or opens, by its own clock', () => {
    const at = (instant: string) => openingOf(HOURS, new Date(instant));
    expect(at('2026-05-20T10:00:00Z')).toEqual({ isOpen: true, next: 'until 18:00' });
    expect(at('2026-05-22T17:00:00Z')).toEqual({ isOpen: false, next: 'opens 20:00' });
    expect(at('2026-05-20T20:00:00Z')).toEqual({ isOpen: false, next: 'opens Thu 09:00' });
  });

  it('are not told where the zone is unknown', () => {
    expect(openingOf(NOWHERE, new Date())).toBeNull();
    expect(comingWeek(NOWHERE, new Date())).toBeNull();
  });
});

describe('towns', () => {
  const list = [
    '',
    'london\tLondon\tGB\t51.5\t-0.1',
    'lyon\tLyon\tFR\t45.7\t4.8',
    'saint etienne\tSaint-Étienne\tFR\t45.4\t4.4',
    'lyons\tLyons\tUS\t41.8\t-87.8',
    'sainte foy les lyon\tSainte-Foy-lès-Lyon\tFR\t45.7\t4.8',
  ].join('\n');
  const named = (typed: string) => findTowns(list, typed, 3).map(({ name }) => name);

  it('are found by the beginnings of their words, whatever their accents', () => {
    expect(named('lyo')).toEqual(['Lyon', 'Lyons', 'Sainte-Foy-lès-Lyon']);
    expect(named('SAINT-ét')).toEqual(['Saint-Étienne']);
    expect(named('yon')).toEqual([]);
    expect(named(' - ')).toEqual([]);
  });

  it('are told apart by their whole names', () => {
    expect(townNamed(list, 'Lyon')).toMatchObject({ country: 'FR', latitude: 45.7 });
    expect(townNamed(list, 'Lyo')).toBeNull();
  });
});

describe('the first view', () => {
  const near = Array.from({ length: 95 }, (_, place) => ({ lat: 45 + place / 100, lng: 5 }));

  it('leaves few stores that are far away aside, and says how many', () => {
    const far = [...near, { lat: -80, lng: 0 }, { lat: 0, lng: 180 }, { lat: 60, lng: -150 }];
    const view = firstView(far);
    expect(view?.far).toBe(3);
    expect(near.every((point) => isInside(view?.box ?? [0, 0, 0, 0], point))).toBe(true);
    expect(firstView(near)?.far).toBe(0);
    expect(firstView([])).toBeNull();
  });

  it('knows areas that go on beyond the antimeridian', () => {
    expect(isInside([170, -10, 190, 10], { lat: 0, lng: -175 })).toBe(true);
    expect(isInside([170, -10, 190, 10], { lat: 0, lng: 160 })).toBe(false);
    expect(covers([170, -10, 190, 10], [-188, -5, -175, 5])).toBe(true);
    expect(covers([170, -10, 190, 10], [150, -5, 175, 5])).toBe(false);
    expect(covers(null, [150, -5, 175, 5])).toBe(true);
    expect(boxAround(near)).toEqual([5, 45, 5, 45.94]);
  });
});

describe('stores', () => {
  const listed = (slug: string, name: string, rating: number | null) =>
    foundStore({
      id: slug.toUpperCase(),
      slug,
      profile: { name, verticales: [] },
      geo: { location: null },
      reviews: { external: rating === null ? null : { rating } },
    });
  const three = [listed('b', 'Store 10', 3), listed('a', 'store 9', null), listed('c', ' ', 5)];

  it('without a name show their slugs', () => {
    expect(three[2]?.name).toBe('c');
  });

  it('come by name or rating, or as they were answered', () => {
    const ids = (order: 'name' | 'rating' | 'nearest') => ordered(three, order).map(({ id }) => id);
    expect(ids('name')).toEqual(['c', 'a', 'b']);
    expect(ids('rating')).toEqual(['c', 'b', 'a']);
    expect(ids('nearest')).toEqual(['b', 'a', 'c']);
  });

  it('are counted in words that say when there are more', () => {
    const found = { total: 61_204, stores: Array(5_000), isComplete: true } as unknown as Found;
    expect(describeFound(found, 5_000, FIRST_STATE)).toBe('5,000 of 61,204 stores: zoom in');
    const few = { total: 2, stores: Array(2), isComplete: true } as unknown as Found;
    const state = { ...FIRST_STATE, words: 'velo' };
    expect(describeFound(few, 2, state)).toBe('2 stores that match “velo”');
    expect(describeFound(few, 1, state)).toBe('1 of 2 stores that match “velo” in view');
  });
});

it('texts come in the first language of the reader that stores may have', () => {
  // No language will ever have the code `qaa`.
  expect(languageOf(['qaa-SE', 'pt-BR', 'en'])).toBe('pt');
  expect(languageOf(['qaa-SE', 'qaa'])).toBeUndefined();
});
