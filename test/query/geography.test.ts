/** Distances against geokdbush; boxes and the search within a radius against plain loops. */
import fc from 'fast-check';
import { distance as geokdbushDistance } from 'geokdbush';
import { describe, expect, it } from 'vitest';
import type { FoundStores } from '../../src/query/found-stores.ts';
import {
  DistanceFrom,
  ESTIMATE_DOUBT,
  ESTIMATE_FLOOR,
  ESTIMATE_REACH,
  estimateAt,
} from '../../src/query/great-circle.ts';
import { findWithin } from '../../src/query/nearest.ts';
import { PLACES_PART, writePlaces } from '../../src/snapshot/place-table.ts';

/** Neighbourhoods of a property, of up to 200 places each. */
const RUNS = 1000;

const latitude = fc.oneof(
  fc.constantFrom(-90, 90, 0, 89.9999, -89.9),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const longitude = fc.oneof(
  fc.constantFrom(-180, 180, 0, 179.9999, -179.99),
  fc.double({ min: -180, max: 180, noNaN: true }),
);
const radius = fc.oneof(fc.constantFrom(0, 50), fc.double({ min: 0, max: 50, noNaN: true }));
const point = fc.record({ lat: latitude, lng: longitude });

/** A position and places in its neighbourhood, some of them exactly on it. */
const neighbourhood = fc.record({ lat: latitude, lng: longitude, radius }).chain((position) =>
  fc.tuple(
    fc.constant(position),
    fc.array(
      fc.record({
        store: fc.nat(9),
        lat: fc.oneof(
          fc.constant(position.lat),
          fc.double({ min: -0.6, max: 0.6, noNaN: true }).map((d) => clamp(position.lat + d, 90)),
        ),
        lng: fc.oneof(
          fc.constant(position.lng),
          longitude,
          fc.double({ min: -1, max: 1, noNaN: true }).map((d) => wrap(position.lng + d)),
        ),
      }),
      { maxLength: 200 },
    ),
  ),
);

const greatCircleDistance = (lat1: number, lng1: number, lat2: number, lng2: number) =>
  new DistanceFrom(lat1, lng1).to(lat2, lng2);

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

describe('great-circle distance', () => {
  it('agrees with geokdbush to the micrometre', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const ours = greatCircleDistance(a.lat, a.lng, b.lat, b.lng);
        // Near the antipode the haversine itself loses digits.
        fc.pre(ours < 20_000);
        expect(ours).toBeCloseTo(geokdbushDistance(a.lng, a.lat, b.lng, b.lat), 6);
      }),
    );
  });

  it('is exactly zero between two coordinates of one point', () => {
    expect(greatCircleDistance(10, 180, 10, -180)).toBe(0);
    expect(greatCircleDistance(90, 0, 90, 77)).toBe(0);
    expect(greatCircleDistance(-90, -180, -90, 12)).toBe(0);
  });
});

describe('distance estimates', () => {
  const estimate = (lat1: number, lng1: number, lat2: number, lng2: number) => {
    const estimates = new Float64Array(1);
    new DistanceFrom(lat1, lng1).estimate([lng2, lat2], 0, 1, estimates);
    return estimates[0] as number;
  };

  it('are a hundred times better within reach than is relied on', () => {
    fc.assert(
      fc.property(neighbourhood, ([{ lat, lng }, places]) => {
        const worse = places.filter((place) => {
          const distance = greatCircleDistance(lat, lng, place.lat, place.lng);
          if (distance > ESTIMATE_REACH) return false;
          const exact = estimateAt(distance);
          const error = Math.abs(estimate(lat, lng, place.lat, place.lng) - exact);
          return !(error <= (ESTIMATE_DOUBT / 100) * exact + ESTIMATE_FLOOR);
        });
        expect(worse).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('are beyond reach for whatever is', () => {
    fc.assert(
      fc.property(point, fc.oneof(point, fc.constant(null)), radius, (centre, other, degrees) => {
        const { lat, lng } = other ?? { lat: clamp(centre.lat + degrees, 90), lng: centre.lng };
        if (greatCircleDistance(centre.lat, centre.lng, lat, lng) <= ESTIMATE_REACH) return;
        const least = estimateAt(ESTIMATE_REACH) * (1 - ESTIMATE_DOUBT);
        expect(estimate(centre.lat, centre.lng, lat, lng)).toBeGreaterThan(least);
      }),
      { numRuns: 5 * RUNS },
    );
  });
});

describe('search within a radius', () => {
  it('finds what a loop over all places finds', () => {
    fc.assert(
      fc.property(neighbourhood, ([position, places]) => {
        const numbered = places.map((place, index) => ({ ...place, number: index }));
        const table = PLACES_PART.read(writePlaces(numbered).buffer, 10);
        const { lat, lng, radius } = position;
        const centre = { latitude: lat, longitude: lng };
        // A search before leaves nothing behind for the next one.
        findWithin(table, { ...centre, radius: 50 }, null);
        const found = findWithin(table, { ...centre, radius }, (store) => store !== 7);
        const rows = rowsOf(found);
        expect(new Map(rows.map((row) => [row[0], row]))).toEqual(
          bruteForce(numbered, lat, lng, radius),
        );
        expect(rows).toHaveLength(found.count);
      }),
      { numRuns: RUNS },
    );
  });

  it('sets the nearest apart', () => {
    fc.assert(
      fc.property(neighbourhood, fc.nat(10), ([position, places], wanted) => {
        const numbered = places.map((place, index) => ({ ...place, number: index }));
        const table = PLACES_PART.read(writePlaces(numbered).buffer, 10);
        const { lat, lng } = position;
        const found = findWithin(table, { latitude: lat, longitude: lng, radius: 50 }, null);
        const distances = [...found.all()].map((slot) => found.distance(slot));
        const expected = distances.toSorted((a, b) => a - b).slice(0, wanted);
        const set = [...found.nearest(wanted)].map((slot) => found.distance(slot));
        expect(set.toSorted((a, b) => a - b).slice(0, wanted)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it('sets the nearest apart where all are so near that their squares are no numbers', () => {
    const places = Array.from({ length: 5 }, (_, store) => ({ store, number: 0, lat: 0, lng: 0 }));
    const table = PLACES_PART.read(writePlaces(places).buffer, places.length);
    for (const latitude of [1e-140, 1e-150, 1e-155, 1e-160, 1e-200, 5e-324]) {
      const found = findWithin(table, { latitude, longitude: 0, radius: 1 }, null);
      expect(found.count).toBe(5);
      expect(found.nearest(2).length).toBeGreaterThanOrEqual(2);
    }
  });
});

/** Store, number of the location and distance of everything found. */
function rowsOf(found: FoundStores): [store: number, number: number, distance: number][] {
  return [...found.all()].map((slot) => [
    found.store(slot),
    found.location(slot),
    found.distance(slot),
  ]);
}

function bruteForce(
  places: readonly { store: number; number: number; lat: number; lng: number }[],
  lat: number,
  lng: number,
  limit: number,
): Map<number, (number | undefined)[]> {
  const nearest = new Map<number, (number | undefined)[]>();
  for (const place of places) {
    const distance = greatCircleDistance(lat, lng, place.lat, place.lng);
    if (distance > limit || place.store === 7) continue;
    const held = nearest.get(place.store);
    if (!held || distance < (held[2] as number)) {
      nearest.set(place.store, [place.store, place.number, distance]);
    }
  }
  return nearest;
}
