/** What `/explore` makes of stores, towns and opening hours before it shows them. */

import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { changed } from '../../fixtures/changed-store.ts';
import { FULL_STORE } from '../../fixtures/example-stores.ts';
import type { Language } from '../../src/model/enumerations.ts';
import { townPieces } from '../../web/explore/basemap/search-towns.ts';
import { readAddress } from '../../web/explore/browser/model/address.ts';
import {
  areaOfView,
  boxAround,
  covers,
  firstView,
  isInside,
} from '../../web/explore/browser/model/area.ts';
import { type Found, foundStore, ordered } from '../../web/explore/browser/model/found.ts';
import { openingHours, openingOf } from '../../web/explore/browser/model/opening-words.ts';
import type { Order } from '../../web/explore/browser/model/state.ts';
import { cancellationFacts, deliveryFacts } from '../../web/explore/browser/model/terms.ts';
import { townMeant } from '../../web/explore/browser/model/towns.ts';
import {
  coordinatesIn,
  countryNamed,
  countryNames,
  wantedIn,
} from '../../web/explore/browser/model/wanted.ts';
import { describeFound, directionsTo, languageOf } from '../../web/explore/browser/model/words.ts';
import { FileList } from '../../web/explore/browser/service/file-list.ts';
import { townsNamed } from '../../web/explore/browser/service/town-finder.ts';
import { buildStore } from '../support/stores/store-builder.ts';

/** The cells of a table, row by row. */
const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ *\| */) as [string, string, string, string]);

describe('opening hours', () => {
  const store = buildStore(1, {
    'temporal.schedule': {
      openingHours: [
        { day: '*', from: '09:00', to: '18:00', open: true },
        { day: '5', from: '20:00', to: '22:00', open: true },
        { day: '0', from: '00:00', to: '00:00', open: false },
      ],
      openingHoursLowSeason: [],
      lowSeasonRanges: [{ from: '2026-11-01T00:00Z', to: '2027-03-31T23:59:59Z' }],
      closedRanges: [
        { from: '2027-05-01T00:00Z', to: '2027-05-01T23:59:59.999Z' },
        { from: '2026-12-24T00:00Z', to: '2026-12-26T23:59:59.999Z' },
        { from: '2026-05-23T10:00Z', to: '2026-05-24T10:00Z' },
      ],
    },
  });
  const hoursAt = (at: string) => openingHours(store, new Date(at));

  it('begin with the day of the store, and tell what closures leave of it', () => {
    const weekAt = (at: string) => hoursAt(at)?.week.map(({ name, times }) => `${name} ${times}`);
    expect(weekAt('2026-05-20T22:00Z')?.slice(0, 4)).toEqual([
      'Thursday 09:00–18:00',
      'Friday 09:00–18:00, 20:00–22:00',
      'Saturday 09:00–12:00 (usually 09:00–18:00)',
      'Sunday Closed',
    ]);
    expect(weekAt('2026-05-20T21:59:59Z')?.[0]).toMatch(/^Wednesday/);
  });

  it.each(
    rows(`
      2026-05-24T00:00Z | Low season from 1 November | 23 May at 12:00 – 24 May at 12:00; 24 – 26 December; 1 May 2027
      2026-11-01T01:00Z | Low season until 31 March  | 24 – 26 December; 1 May
      2027-04-01T01:00Z |                            | 1 May
    `),
  )(
    'name the season and the closures to come by their dates in the store: at %s',
    (at, season, closures) => {
      const hours = hoursAt(at);
      expect(hours?.season).toBe(season);
      expect(hours?.closures.join('; ').replace(/\s/gu, ' ')).toBe(closures);
    },
  );

  const timezone = 'Europe/Paris';

  it.each(
    rows(`
      2026-05-20T10:00Z | 2026-05-20T16:00Z | until 18:00
      2026-05-22T17:00Z | 2026-05-22T18:00Z | opens 20:00
      2026-05-20T20:00Z | 2026-05-21T07:00Z | opens Thu 09:00
    `),
  )('tell when a store closes or opens, by its own clock: at %s', (at, nextChange, next) => {
    const isOpen = next.startsWith('until');
    const opening = { at, isOpen, nextChange, timezone };
    expect(openingOf(opening, new Date(at))).toEqual({ isOpen, next });
  });

  it('tell no time where there is none, and nothing once it has passed, or in an unknown zone', () => {
    const at = '2026-05-20T15:00Z';
    const now = new Date(at);
    const opening = { at, isOpen: true, nextChange: null, timezone };
    expect(openingOf(opening, now)).toEqual({ isOpen: true, next: '' });
    expect(openingOf({ ...opening, nextChange: at }, now)).toBeNull();
    const unknown = 'Nowhere/Atlantis';
    const later = '2026-05-20T16:00Z';
    expect(openingOf({ ...opening, nextChange: later, timezone: unknown }, now)).toBeNull();
    expect(openingHours(buildStore(1, { 'temporal.timezone': unknown }), now)).toBeNull();
  });
});

describe('terms of a store', () => {
  const [range] = FULL_STORE.modules.delivery.ranges;
  const store = changed(FULL_STORE, {
    'modules.delivery.ranges': [
      { ...range, max: 7.5, price: 0, specificPrices: [] },
      { ...range, min: 7.5, max: 99_999, price: 12.5 },
    ],
    'modules.delivery.excludedCities.0.sublocalityName': 'Est',
    'modules.delivery.freeDelivery': { activated: true, type: 'MINUTES', value: 2880 },
    'modules.cancellation.ranges': [
      { hourThreshold: 0, refundType: 'AMOUNT', refundAmount: 0 },
      { hourThreshold: 48, refundType: 'PERCENTAGE', refundAmount: 50 },
    ],
  });

  it('say where it delivers, for how much, and where not', () => {
    expect(deliveryFacts(store)).toEqual([
      ['Delivers', ''],
      ['Up to 7.5 km', 'Free'],
      ['From 7.5 km', '€12.50; €12 in 77694 Kehl'],
      ['Free', 'For rentals of 2 days or longer'],
      ['Not to', '67210 Obernai (Est)'],
    ]);
    expect(deliveryFacts(buildStore())).toEqual([['Delivers', 'No']]);
  });

  it('say what a cancelled booking gives back, the earliest first', () => {
    expect(cancellationFacts(store)).toEqual([
      ['Over 2 days before', '50 % back'],
      ['Until the start', 'Nothing back'],
    ]);
  });

  it('lead the map of each device to the store', () => {
    const at = { lat: 43.3, lng: -0.4 };
    const devices = ['Linux; Android 16', 'iPhone; CPU', 'Windows NT'];
    expect(devices.map((device) => directionsTo(at, 'Vélo (Pau)', device))).toEqual([
      'geo:43.3,-0.4?q=43.3,-0.4(V%C3%A9lo%20(Pau))',
      'https://maps.apple.com/?daddr=43.3,-0.4',
      'https://www.openstreetmap.org/directions?to=43.3%2C-0.4',
    ]);
  });
});

describe('towns', () => {
  const pieces = townPieces();
  const files = new FileList('list');

  // The page reads the pieces by their list.
  const list = { path: '*', names: [...pieces.keys()] };
  const texts = [...pieces.values()];
  vi.stubGlobal('fetch', async (address: string) =>
    address === 'list' ? Response.json(list) : new Response(texts[Number(address)]),
  );

  it.each(
    rows(`
      München           | Munich     | DE
      cologne           | Köln       | DE
      Mailand           | Milan      | IT
      Lisboa            | Lisbon     | PT
      Londres           | London     | GB
      Varsovie          | Warsaw     | PL
      Monaco di Baviera | Munich     | DE
      donostia          | Donostia   | ES
      Muenster          | Muenster   | DE
      st moritz         | St. Moritz | CH
      Courmayeur        | Courmayeur | IT
    `),
  )('are meant by their names in other languages: %s', async (typed, name, country) => {
    const town = townMeant(await townsNamed(files, typed));
    expect([town?.name, town?.usualName]).toContain(name);
    expect(town?.country).toBe(country);
  });

  it.each(
    rows(`
      Springfield | Springfield, US Missouri; Springfield, US Massachusetts
      SAINT-ét    | Saint-Étienne, FR; Saint-Étienne-du-Rouvray, FR
      moritz      | Moritzburg, DE; St. Moritz, CH
      paulo       | Paulo Afonso, BR; Paulo Ramos, BR
      Gubio       | Gubin, PL; Gubbio, IT
      Marsielle   | Marseille, FR
      Barselona   | Barcelona, ES; Barcelona, VE
      lyom        | Lyon, FR; Lymm, GB
      -           |
      xyzzyplugh  |
    `),
  )(
    'are not meant where others have the name, nor by a beginning or with a typing error: %s',
    async (typed, first) => {
      const towns = await townsNamed(files, typed);
      const told = towns.map(({ name, country, region }) => `${name}, ${country} ${region}`.trim());
      expect(told.slice(0, 2).join('; ')).toBe(first);
      expect(townMeant(towns)).toBeNull();
    },
  );

  it('come in pieces that a slow line loads in a tenth of a second', () => {
    const sizes = texts.map((text) => gzipSync(text).length);
    expect(Math.max(...sizes)).toBeLessThan(20_000);
    expect(texts.length).toBeLessThan(2_000);
  });
});

describe('the words in the search field', () => {
  it.each(
    rows(`
      45.46, 9.19      | en | 45.46 9.19
      45,46; 9,19      | en | 45.46 9.19
      33.9° S, 18.4° E | en | -33.9 18.4
      48,1 N 11,6 O    | de | 48.1 11.6
      48,1 N 11,6 O    | fr | 48.1 -11.6
      48,1 N 11,6 O    | en |
      75001            | en |
      91, 4            | en |
      45.46            | en |
      Milan            | en |
    `),
  )(
    'are degrees, as a reader of the language means them, or none: %s, %s',
    (text, language, degrees) => {
      const found = coordinatesIn(text, language as Language);
      expect(Object.values(found ?? {}).join(' ')).toBe(degrees);
    },
  );

  it.each(
    rows(`
      Nice                       |               | Nice
      elektrische fietsen        | ELECTRIC_BIKE |
      bikes in Milan             | BIKE          | Milan
      e-bikes near Nice          | ELECTRIC_BIKE | Nice
      vélos électriques à Lyon   | ELECTRIC_BIKE | Lyon
      Schneeschuhe in St. Moritz | SNOWSHOES     | St. Moritz
      skis Chamonix              | SKI           | Chamonix
      bike rental in Milan       | BIKE          | Milan
      Canoes, kayaks in Annecy   | CANOE_KAYAK   | Annecy
    `),
  )('are a kind and where to rent it, or one of these: %s', (text, kind, where) => {
    expect(wantedIn(text)).toEqual({ kind: kind || null, where });
  });

  it.each(
    rows(`
      Italien | Italia
      włochy  | Italia
      Polonia | Poland
      Suisse  | Switzerland
      Norway  |
      Zürich  |
    `),
  )('are a country in any language, as stores write it: %s', (text, country) => {
    const countries = ['Italia', 'Poland', 'Switzerland'];
    expect(countryNamed(text, countries, countryNames())).toBe(country || null);
  });
});

describe('the first view', () => {
  const near = Array.from({ length: 95 }, (_, index) => ({ lat: 45 + index / 100, lng: 5 }));

  it('leaves few stores that are far away aside', () => {
    const far = [...near, { lat: -80, lng: 0 }, { lat: 0, lng: 180 }, { lat: 60, lng: -150 }];
    const view = firstView(far, 19 / 20) ?? [0, 0, 0, 0];
    expect(near.every((point) => isInside(view, point))).toBe(true);
    expect(far.filter((point) => !isInside(view, point))).toHaveLength(3);
    expect(firstView([], 19 / 20)).toBeNull();
  });

  it('knows areas that go on beyond the antimeridian', () => {
    expect(covers([170, -10, 190, 10], [-188, -5, -175, 5])).toBe(true);
    expect(covers([170, -10, 190, 10], [160, -5, 175, 5])).toBe(false);
    expect(covers([170, -10, 190, 10], [175, -5, 535, 5])).toBe(false);
    expect(covers(null, [150, -5, 175, 5])).toBe(true);
    expect(boxAround(near)).toEqual([5, 45, 5, 45.94]);
  });

  it('is known of a view before there is a map', () => {
    const size = { clientWidth: 840, clientHeight: 623 };
    const area = areaOfView({ zoom: 6, latitude: 46.3, longitude: 8 }, size);
    // By Mercator, with 512 pixels around the globe at zoom 0, as MapLibre has it.
    expect(area).toEqual([3.38574, 43.88455, 12.61426, 48.61341]);
  });
});

describe('stores', () => {
  const listed = (id: string, name: string, rating: number, total: number) =>
    foundStore({
      ...{ id: id.toUpperCase(), slug: id, profile: { name, verticales: [] } },
      ...{ geo: { location: null }, reviews: { external: { rating, total } } },
      temporal: { timezone: 'UTC' },
    });
  const four = [
    listed('b', 'Store 10', 4.5, 96),
    listed('a', 'store 9', 0, 0),
    listed('c', ' ', 5, 2),
    listed('d', 'Tool', 3.5, 40),
  ];

  it('come by name or rating, or as they were answered', () => {
    const ids = (order: Order) => ordered(four, order).map(({ id }) => id);
    expect(ids('name').join('')).toBe('cabd');
    expect(ids('nearest').join('')).toBe('bacd');
    // Two votes do not beat ninety-six.
    expect(ids('rating').join('')).toBe('bcda');
    expect(four[1]?.rating).toBeNull();
  });

  const milan = 'position.latitude=45.46&position.longitude=9.19&position.radius=20&place=Milan';

  it.each(
    rows(`
      61204 | 5000 |                                           | 5,000 of 61,204 stores: zoom in
      2     | 2    | q=velo                                    | 2 stores that match “velo”
      2     | 1    | q=velo                                    | 1 of 2 stores that match “velo” in view
      2     | 2    | ${milan}&verticale.in=BIKE                | No bikes within 20 km of Milan. The nearest are 48 km away.
      1     | 1    | ${milan}&verticale.in=BIKE&openAt=now     | No bikes that pass all filters within 20 km of Milan. The nearest is 48 km away.
    `),
  )('are counted in words: %s in all, %s listed at #%s', (total, listed, address, words) => {
    const state = readAddress(address);
    const stores = Array(Math.min(Number(total), 5_000)).fill({ distance: 48.2 });
    const found = { total: Number(total), stores, isComplete: true, isBeyond: !!state.place };
    expect(describeFound(found as Partial<Found> as Found, Number(listed), state)).toBe(words);
  });
});

it('texts come in the first language of the reader that stores may have', () => {
  // No language will ever have the code `qaa`.
  expect([['qaa-SE', 'pt-BR', 'en'], ['qaa']].map(languageOf)).toEqual(['pt', undefined]);
});
