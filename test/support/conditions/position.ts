/** `position.latitude`, `position.longitude` and `position.radius`. */
import fc from 'fast-check';
import type { Position } from '../../../client/src/index.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { nearestLocation } from '../oracle/distance.ts';
import { decimal } from '../stores/random-values.ts';
import { type Asked, pointsAbout, type Samples } from './condition-case.ts';

const offset = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map((steps) => steps / 1024),
  decimal(0.3),
);

const radius = fc.oneof(fc.constantFrom(0, 50, 50, 0.001, 1, 25), decimal(50).map(Math.abs));

function positions(stores: readonly SourceStore[]): fc.Arbitrary<Position> {
  return fc
    .tuple(pointsAbout(stores, offset), radius)
    .map(([{ lat, lng }, kilometres]) => ({ latitude: lat, longitude: lng, radius: kilometres }));
}

export const POSITION_ASKED = {
  position: {
    draw: positions,
    write: ({ latitude, longitude, radius: kilometres }) => ({
      'position.latitude': String(latitude),
      'position.longitude': String(longitude),
      'position.radius': String(kilometres),
    }),
    notBeside: ['after'],
    keep: (position) => (store) => {
      const nearest = nearestLocation(store, position);
      return nearest && { locationIndex: nearest.index, distance: nearest.distance };
    },
  } satisfies Asked<Position>,
};

const around = (latitude: string | number, longitude: string | number, kilometres: string) =>
  `position.latitude=${latitude}&position.longitude=${longitude}&position.radius=${kilometres}`;

export const POSITION_SAMPLES: Samples = {
  same: [[around('-0', '1.50', '5'), `${around('0', '1.5', '5.0')}&sort=distance__asc`]],
  read: [
    [around('48.5', '-7.25', '50'), 'position=48.5,-7.25,50'],
    [around('-90', '-180', '0'), 'position=-90,-180,0'],
    [around('90.000', '180', '0.001'), 'position=90,180,0.001'],
    [around('1e-7', '-1.5E1', '5e%2B0'), 'position=1e-7,-15,5'],
    [around('0e9', '1e02', '1e-400'), 'position=0,100,0'],
  ],
  refused: [
    ...[around('-90.0001', '180.5', '50.01'), around('91', '-181', '-0.1')].map(
      (query): [string, ...string[]] => [
        query,
        ...['radius', 'latitude', 'longitude'].map((each) => `out_of_range position.${each}`),
      ],
    ),
    [
      `${around('0', '0', '1')}&after=${'a'.repeat(24)}`,
      ...['radius', 'latitude', 'longitude'].map((each) => `not_together position.${each}`),
    ],
    [
      around('.5', '%2B1', ''),
      'empty_value position.radius',
      'malformed_value position.latitude',
      'malformed_value position.longitude',
    ],
    [
      'position.radius=51',
      'out_of_range position.radius',
      'missing_parameter position.latitude',
      'missing_parameter position.longitude',
    ],
    [
      'position.latitude=5',
      'missing_parameter position.radius',
      'missing_parameter position.longitude',
    ],
    ['position.longitude=5&position.radius=0', 'missing_parameter position.latitude'],
  ],
  explained: [
    [
      around('1', '1', 'ten'),
      'malformed_value position.radius',
      'Expected a number such as 12, -0.5 or 1e-7, got "ten".',
    ],
    [around('1', '1', '1e999'), 'out_of_range position.radius', 'Expected 0 to 50, got "1e999".'],
  ],
  tried: [
    [
      'near',
      'Did you mean "position.radius" or "position.latitude" or "position.longitude"? Latitude, longitude and radius of a position are given together.',
    ],
    ['lng', 'Did you mean "position.longitude"?'],
    ['latitude', 'Did you mean "position.latitude"?'],
  ],
};
