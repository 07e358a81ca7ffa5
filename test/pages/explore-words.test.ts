/** What `/explore` makes of stores, towns and opening hours before it shows them. */

import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { StoreHours } from '../../client/src/index.ts';
import { townPieces } from '../../web/explore/basemap/search-towns.ts';
import { FIRST_STATE } from '../../web/explore/browser/model/address.ts';
import { boxAround, covers, firstView, isInside } from '../../web/explore/browser/model/area.ts';
import { describeFound } from '../../web/explore/browser/model/describe.ts';
import type { Found } from '../../web/explore/browser/model/found.ts';
import { foundStore, ordered } from '../../web/explore/browser/model/found-store.ts';
import { comingWeek, openingOf } from '../../web/explore/browser/model/opening-words.ts';
import type { ExploreState } from '../../web/explore/browser/model/state.ts';
import { type Town, townMeant } from '../../web/explore/browser/model/towns.ts';
import {
  coordinatesIn,
  countryNamed,
  kindAndTown,
} from '../../web/explore/browser/model/wanted.ts';
import { languageOf } from '../../web/explore/browser/model/words.ts';
import { TownFinder } from '../../web/explore/browser/service/town-finder.ts';

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
  const pieces = townPieces();
  /** The towns that the page finds for a text, as it reads the pieces. */
  async function found(typed: string): Promise<Town[]> {
    const addresses = Object.fromEntries([...pieces.keys()].map((letters) => [letters, letters]));
    vi.stubGlobal('fetch', async (letters: string) =>
      letters === 'list' ? Response.json(addresses) : new Response(pieces.get(letters)),
    );
    try {
      return await new TownFinder('list').find(typed);
    } finally {
      vi.unstubAllGlobals();
    }
  }

  it.each([
    ['München', 'Munich', 'DE'],
    ['cologne', 'Köln', 'DE'],
    ['Mailand', 'Milan', 'IT'],
    ['Lisboa', 'Lisbon', 'PT'],
    ['Londres', 'London', 'GB'],
    ['Varsovie', 'Warsaw', 'PL'],
    ['Ginevra', 'Genève', 'CH'],
    ['Monaco di Baviera', 'Munich', 'DE'],
    ['donostia', 'Donostia', 'ES'],
    ['kopenhaga', 'Copenhagen', 'DK'],
    ['st moritz', 'St. Moritz', 'CH'],
    ['Courmayeur', 'Courmayeur', 'IT'],
  ])('are meant by their names in other languages: %s', async (typed, name, country) => {
    const town = townMeant(await found(typed));
    expect([town?.name, town?.usualName]).toContain(name);
    expect(town?.country).toBe(country);
  });

  it('are found by the beginnings of their words, and meant only by a whole name', async () => {
    const towns = await found('SAINT-ét');
    expect(towns[0]).toMatchObject({ name: 'Saint-Étienne', country: 'FR', fit: 1 });
    expect((await found('moritz')).map(({ name }) => name)).toContain('St. Moritz');
    expect(townMeant(towns)).toBeNull();
    expect(await found(' - ')).toEqual([]);
    expect(await found('xyzzyplugh')).toEqual([]);
  });

  it('are told apart by their regions, and asked about when none is much larger', async () => {
    const towns = (await found('Springfield')).filter(({ fit }) => fit === 0);
    const regions = towns.map(({ country, region }) => `${country} ${region}`);
    expect(regions.slice(0, 3)).toEqual(['US Missouri', 'US Massachusetts', 'US Illinois']);
    expect(townMeant(towns)).toBeNull();
  });

  it('are found with one typing error, and not meant then', async () => {
    for (const [typed, name] of [
      ['Gubio', 'Gubbio'],
      ['Marsielle', 'Marseille'],
      ['Barselona', 'Barcelona'],
      ['lyom', 'Lyon'],
    ] as const) {
      const towns = await found(typed);
      expect(towns.map((town) => town.name)).toContain(name);
      expect(townMeant(towns)).toBeNull();
    }
  });

  it('come in pieces that a slow line loads in a tenth of a second', () => {
    const sizes = [...pieces.values()].map((text) => gzipSync(text).length);
    expect(Math.max(...sizes)).toBeLessThan(20_000);
    expect(pieces.size).toBeLessThan(2_000);
  });
});

describe('the words in the search field', () => {
  it.each([
    ['45.46, 9.19', 45.46, 9.19],
    ['45,46; 9,19', 45.46, 9.19],
    ['33.9° S, 18.4° E', -33.9, 18.4],
  ])('are degrees: %s', (text, latitude, longitude) => {
    expect(coordinatesIn(text)).toEqual({ latitude, longitude });
  });

  it.each(['75001', '91, 4', '45.46', 'Milan'])('are no degrees: %s', (text) => {
    expect(coordinatesIn(text)).toBeNull();
  });

  it.each([
    ['bikes in Milan', 'BIKE', 'Milan'],
    ['e-bikes near Nice', 'ELECTRIC_BIKE', 'Nice'],
    ['vélos électriques à Lyon', 'ELECTRIC_BIKE', 'Lyon'],
    ['Schneeschuhe in St. Moritz', 'SNOWSHOES', 'St. Moritz'],
    ['skis Chamonix', 'SKI', 'Chamonix'],
    ['Canoes, kayaks in Annecy', 'CANOE_KAYAK', 'Annecy'],
  ])('are a kind and a town: %s', (text, kind, town) => {
    expect(kindAndTown(text)).toEqual({ kind, town });
  });

  it('are a country in any language, as stores write it', () => {
    const countries = ['Italia', 'Poland', 'Switzerland'];
    const named = ['Italien', 'włochy', 'Polonia', 'Suisse', 'Norway', 'Zürich'];
    expect(named.map((text) => countryNamed(text, countries))).toEqual([
      ...['Italia', 'Italia', 'Poland', 'Switzerland'],
      null,
      null,
    ]);
  });
});

describe('the first view', () => {
  const near = Array.from({ length: 95 }, (_, place) => ({ lat: 45 + place / 100, lng: 5 }));

  it('leaves few stores that are far away aside', () => {
    const far = [...near, { lat: -80, lng: 0 }, { lat: 0, lng: 180 }, { lat: 60, lng: -150 }];
    const view = firstView(far, 19 / 20) ?? [0, 0, 0, 0];
    expect(near.every((point) => isInside(view, point))).toBe(true);
    expect(far.filter((point) => !isInside(view, point))).toHaveLength(3);
    expect(firstView([], 19 / 20)).toBeNull();
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
  const listed = (slug: string, name: string, rating: number, total: number) =>
    foundStore({
      id: slug.toUpperCase(),
      slug,
      profile: { name, verticales: [] },
      geo: { location: null },
      reviews: { external: { rating, total } },
    });
  const four = [
    listed('b', 'Store 10', 4.5, 96),
    listed('a', 'store 9', 0, 0),
    listed('c', ' ', 5, 2),
    listed('d', 'Tool', 3.5, 40),
  ];

  it('without a name show their slugs', () => {
    expect(four[2]?.name).toBe('c');
  });

  it('come by name or rating, or as they were answered', () => {
    const ids = (order: 'name' | 'rating' | 'nearest') => ordered(four, order).map(({ id }) => id);
    expect(ids('name')).toEqual(['c', 'a', 'b', 'd']);
    expect(ids('nearest')).toEqual(['b', 'a', 'c', 'd']);
    // Two votes do not beat ninety-six.
    expect(ids('rating')).toEqual(['b', 'c', 'd', 'a']);
    expect(four[1]?.rating).toBeNull();
  });

  it('are counted in words that say when there are more', () => {
    const found = { total: 61_204, stores: Array(5_000), isComplete: true } as unknown as Found;
    expect(describeFound(found, 5_000, FIRST_STATE)).toBe('5,000 of 61,204 stores: zoom in');
    const few = { total: 2, stores: Array(2), isComplete: true } as unknown as Found;
    const state = { ...FIRST_STATE, words: 'velo' };
    expect(describeFound(few, 2, state)).toBe('2 stores that match “velo”');
    expect(describeFound(few, 1, state)).toBe('1 of 2 stores that match “velo” in view');
  });

  it('are said to be the nearest where a place has none', () => {
    const place = { latitude: 45.46, longitude: 9.19, radius: 20, name: 'Milan' };
    const near = { ...FIRST_STATE, place, verticales: ['BIKE'] as const };
    const found = { total: 2, stores: [{ distance: 48.2 }, {}], isComplete: true, isBeyond: true };
    const said = (state: ExploreState, total = 2) =>
      describeFound({ ...found, total } as unknown as Found, total, state);
    expect(said(near)).toBe('No bikes within 20 km of Milan. The nearest are 48 km away.');
    expect(said({ ...near, isOpenNow: true }, 1)).toBe(
      'No bikes that pass all filters within 20 km of Milan. The nearest is 48 km away.',
    );
  });
});

it('texts come in the first language of the reader that stores may have', () => {
  // No language will ever have the code `qaa`.
  expect(languageOf(['qaa-SE', 'pt-BR', 'en'])).toBe('pt');
  expect(languageOf(['qaa-SE', 'qaa'])).toBeUndefined();
});
