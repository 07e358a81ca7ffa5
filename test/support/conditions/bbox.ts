/** `bbox`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Point } from '../../../src/model/location.ts';
import { type Asked, encoded, pointsAbout, type Samples } from './condition-case.ts';

type Bbox = readonly [west: number, south: number, east: number, north: number];

function liesWithin({ lat, lng }: Point, [west, south, east, north]: Bbox): boolean {
  const longitudes = Math.abs(lng) === 180 ? [180, -180] : [lng];
  const isBetween = (each: number) =>
    west > east ? each >= west || each <= east : west <= each && each <= east;
  return south <= lat && lat <= north && longitudes.some(isBetween);
}

/** Areas whose corners tend to be locations of the stores; any pair of longitudes goes. */
function areas(stores: readonly SourceStore[]): fc.Arbitrary<Bbox> {
  const corner = pointsAbout(stores, fc.constant(0));
  const edge = fc.constantFrom(-180, 180, 0, null, null, null);
  return fc
    .tuple(corner, corner, edge, edge)
    .map(([a, b, west, east]) => [
      west ?? a.lng,
      Math.min(a.lat, b.lat),
      east ?? b.lng,
      Math.max(a.lat, b.lat),
    ]);
}

export const BBOX_ASKED = {
  bbox: {
    draw: areas,
    write: (area) => ({ bbox: area.join() }),
    notBeside: ['position'],
    keep:
      (area) =>
      ({ geo: { displayAddress, main, rentalPoints } }) => {
        const locations = displayAddress ? [main, ...rentalPoints] : [];
        const locationIndex = locations.findIndex(({ point }) => liesWithin(point, area));
        return locationIndex < 0 ? null : { locationIndex };
      },
  } satisfies Asked<Bbox>,
};

const EXPECTED = 'Expected west,south,east,north in degrees, such as 11.2,46.3,11.5,46.6';
const RANGES = 'longitudes from -180 to 180 and latitudes from -90 to 90';

export const BBOX_SAMPLES: Samples = {
  same: [['bbox=-0,1.0,2,3', 'bbox=0,1,2e0,3']],
  read: [
    ['bbox=-1e1,46.3,-0,46.6', 'bbox=-10,46.3,0,46.6'],
    ['bbox=170,-90,-170,90', 'bbox=170,-90,-170,90'],
  ],
  refused: [
    [
      'bbox=1,2,3,4&position.latitude=2&position.longitude=2&position.radius=5',
      'not_together bbox',
    ],
  ],
  explained: [
    ...['1,2,3', '1,2,3,4,5', '1, 2,3,4', '1,2,3,'].map((text) => [
      `bbox=${encoded(text)}`,
      'malformed_value bbox',
      `${EXPECTED}, got "${text}".`,
    ]),
    ['bbox=1,5,3,4', 'out_of_range bbox', `${EXPECTED}, south not above north, got "1,5,3,4".`],
    [
      'bbox=46.3,111.2,46.6,111.5',
      'out_of_range bbox',
      `${EXPECTED}, ${RANGES}, got "46.3,111.2,46.6,111.5". Longitude comes first: did you mean "111.2,46.3,111.5,46.6"?`,
    ],
    ['bbox=1,2,181,4', 'out_of_range bbox', `${EXPECTED}, ${RANGES}, got "1,2,181,4".`],
  ],
  tried: [['bounds', 'Did you mean "bbox"?']],
};
