/** Searches around a point and in an area against plain loops over all locations. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, type Circle, findAround, findInside } from '../../src/query/find-places.ts';
import { Scratch } from '../../src/query/scratch.ts';
import { PLACES_PART, type Place, writePlaces } from '../../src/snapshot/place-table.ts';
import { millimetresBetween } from '../support/oracle/distance.ts';

/** Neighbourhoods of a property, of up to 200 locations each. */
const RUNS = 1000;

const STORES = 10;

const latitude = fc.oneof(
  fc.constantFrom(-90, 90, 0, 89.9999, -89.9),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const longitude = fc.oneof(
  fc.constantFrom(-180, 180, 0, 179.9999, -179.99),
  fc.double({ min: -180, max: 180, noNaN: true }),
);
const radius = fc.oneof(fc.constantFrom(0, 50), fc.double({ min: 0, max: 50, noNaN: true }));

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

/** What is near in latitude, and in longitude; some of it at the same degree, some where the other side is. */
const nearLatitude = (from: number) =>
  fc.oneof(
    fc.constantFrom(from, from, clamp(from + 1e-9, 90)),
    fc.double({ min: -0.6, max: 0.6, noNaN: true }).map((step) => clamp(from + step, 90)),
  );
const nearLongitude = (from: number) =>
  fc.oneof(
    fc.constantFrom(from, from, wrap(from + 1e-9), Math.abs(from) === 180 ? -from : from),
    longitude,
    fc.double({ min: -1, max: 1, noNaN: true }).map((step) => wrap(from + step)),
  );

/** A circle and locations in its neighbourhood. */
const neighbourhood = fc.record({ latitude, longitude, radius }).chain((circle) =>
  fc.tuple(
    fc.constant(circle),
    fc.array(
      fc.record({
        store: fc.nat(STORES - 1),
        lat: nearLatitude(circle.latitude),
        lng: nearLongitude(circle.longitude),
      }),
      { maxLength: 200 },
    ),
  ),
);

/** Locations in the order of their indexes: as the compiler gives them, each of its store one more. */
function indexed(places: readonly Omit<Place, 'locationIndex'>[]): Place[] {
  const counts = new Map<number, number>();
  return places.map((place) => {
    const locationIndex = counts.get(place.store) ?? 0;
    counts.set(place.store, locationIndex + 1);
    return { ...place, locationIndex };
  });
}

const tableOf = (places: readonly Place[]) => PLACES_PART.read(writePlaces(places).buffer, STORES);

type Row = readonly [store: number, location: number, millimetres?: number];

function foundAround(places: readonly Place[], circle: Circle, scratch = new Scratch()): Row[] {
  const table = tableOf(places);
  const found = findAround(table, circle, scratch);
  return Array.from(found.stores, (store) => {
    expect(Math.round((found.kilometres[store] as number) * 1e6)).toBe(found.millimetres[store]);
    return [store, (found.locations[store] as number) - 1, found.millimetres[store] as number];
  });
}

/** The least of each store, of what `measure` gives (null: it does not match), ascending by store. */
function leastOf(places: readonly Place[], measure: (place: Place) => number | null): Row[] {
  const least = new Map<number, Row>();
  for (const place of places) {
    const value = measure(place);
    const known = least.get(place.store);
    if (value === null || (known && (known[2] as number) <= value)) continue;
    least.set(place.store, [place.store, place.locationIndex, value]);
  }
  return [...least.values()].sort(([a], [b]) => a - b);
}

function expectedAround(places: readonly Place[], circle: Circle): Row[] {
  const from = { lat: circle.latitude, lng: circle.longitude };
  return leastOf(places, (place) => {
    const millimetres = millimetresBetween(from, place);
    return millimetres <= Math.round(circle.radius * 1e6) ? millimetres : null;
  });
}

describe('a search around a point', () => {
  it('finds what a loop over all locations finds', () => {
    const scratch = new Scratch();
    fc.assert(
      fc.property(neighbourhood, ([circle, places]) => {
        const all = indexed(places);
        expect(foundAround(all, circle, scratch)).toEqual(expectedAround(all, circle));
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['a pole', 90, 12, 90, -77],
    ['the other pole', -90, 0, -90, 180],
    ['the antimeridian', 10, 180, 10, -180],
    ['the antimeridian from the other side', -66.5, -180, -66.5, 180],
  ])('finds at radius 0 what has other coordinates of the same point: %s', (...degrees) => {
    const [, lat, lng, otherLat, otherLng] = degrees;
    const places = indexed([
      { store: 1, lat: otherLat, lng: otherLng },
      { store: 2, lat, lng },
      { store: 3, lat: lat * 0.9999, lng },
    ]);
    const circle = { latitude: lat, longitude: lng, radius: 0 };
    const rows = [
      [1, 0, 0],
      [2, 0, 0],
    ];
    expect(foundAround(places, circle)).toEqual(rows);
  });

  it('finds what lies across a pole and across the antimeridian', () => {
    const places = indexed([
      { store: 1, lat: 89.9, lng: -170 },
      { store: 2, lat: 0, lng: -179.9 },
    ]);
    const stores = (circle: Circle) => foundAround(places, circle).map(([store]) => store);
    expect(stores({ latitude: 89.8, longitude: 10, radius: 34 })).toEqual([1]);
    expect(stores({ latitude: 89.8, longitude: 10, radius: 33 })).toEqual([]);
    expect(stores({ latitude: 0, longitude: 179.9, radius: 23 })).toEqual([2]);
    expect(stores({ latitude: 0, longitude: 179.9, radius: 22 })).toEqual([]);
  });

  it('shows the first of the locations of a store that are equally near to the millimetre', () => {
    // A thousandth of a millimetre more and less, in every order of the tree.
    const [lat, step] = [45, 1e-14];
    for (const lats of [
      [lat + 0.1, lat + 0.1 - step, lat + 0.1 + step],
      [lat + 0.1 + step, lat + 0.1, lat + 0.1 - step],
      [lat - 0.1, lat + 0.1 - step, lat + 0.1],
    ]) {
      const places = indexed(lats.map((each) => ({ store: 1, lat: each, lng: 7 })));
      const [row] = foundAround(places, { latitude: lat, longitude: 7, radius: 50 });
      expect(row?.slice(0, 2)).toEqual([1, 0]);
    }
  });

  it('has its edge at the millimetre', () => {
    // One degree of a meridian.
    const metres = (6371 * Math.PI) / 180 / 1000;
    const places = indexed([{ store: 1, lat: 0.001, lng: 0 }]);
    const count = (radius: number) =>
      foundAround(places, { latitude: 0, longitude: 0, radius }).length;
    expect(count(metres + 0.4e-6)).toBe(1);
    expect(count(Math.round(metres * 1e6) / 1e6)).toBe(1);
    expect(count(Math.round(metres * 1e6) / 1e6 - 0.4e-6)).toBe(1);
    expect(count(Math.round(metres * 1e6) / 1e6 - 0.6e-6)).toBe(0);
  });
});

/** Edges of an area are often those of locations. */
const areas = fc.tuple(latitude, latitude, longitude, longitude).map(([a, b, west, east]): Area => {
  return { west, south: Math.min(a, b), east, north: Math.max(a, b) };
});

describe('a search in an area', () => {
  it('finds what a loop over all locations finds', () => {
    const scratch = new Scratch();
    const place = fc.record({ store: fc.nat(STORES - 1), lat: latitude, lng: longitude });
    fc.assert(
      fc.property(areas, fc.array(place, { maxLength: 200 }), (area, places) => {
        const all = indexed(places);
        const expected = leastOf(all, (each) => (holds(area, each) ? 0 : null));
        const { stores, locations } = findInside(tableOf(all), area, scratch);
        const rows = Array.from(stores, (store) => [store, (locations[store] as number) - 1]);
        expect(rows).toEqual(expected.map(([store, location]) => [store, location]));
      }),
      { numRuns: RUNS },
    );
  });
});

function holds({ west, south, east, north }: Area, { lat, lng }: Place): boolean {
  if (lat < south || lat > north) return false;
  const longitudes = Math.abs(lng) === 180 ? [180, -180] : [lng];
  return longitudes.some((each) =>
    west <= east ? each >= west && each <= east : each >= west || each <= east,
  );
}
