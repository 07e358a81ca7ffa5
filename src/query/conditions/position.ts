/** `position.radius`, `position.latitude` and `position.longitude`: the stores around a position. */
import { numberWithin } from '../../parameters/number-kinds.ts';
import { one } from '../../parameters/parameter.ts';
import { PLACES_PART } from '../../snapshot/place-table.ts';
import { findAround } from '../find-places.ts';
import type { Declaration } from './condition.ts';

/** Kilometres. */
const MAX_RADIUS = 50;

const TOGETHER = 'Latitude, longitude and radius of a position are given together.';

const RADIUS = one(
  {
    name: 'position.radius',
    description:
      'Search radius in km, inclusive; 0 finds what lies at the position itself. Given together with `position.latitude` and `position.longitude`. A store matches when its main location or any rental point lies within the radius; it then has `distance`, and `geo.location` is the nearest of its locations.',
    example: '25',
    usualNames: ['distance', 'within', 'near'],
    usage: TOGETHER,
  },
  numberWithin({ least: 0, most: MAX_RADIUS }),
);
const LATITUDE = one(
  {
    name: 'position.latitude',
    description:
      'Latitude of the search position in degrees, positive to the north. Given together with `position.longitude` and `position.radius`.',
    example: '48.8566',
    usualNames: ['lat', 'position.lat', 'near'],
  },
  numberWithin({ least: -90, most: 90 }),
);
const LONGITUDE = one(
  {
    name: 'position.longitude',
    description:
      'Longitude of the search position in degrees, positive to the east. Given together with `position.latitude` and `position.radius`.',
    example: '2.3522',
    usualNames: ['lng', 'lon', 'long', 'position.lng', 'position.lon', 'near'],
  },
  numberWithin({ least: -180, most: 180 }),
);

const parameters = [RADIUS, LATITUDE, LONGITUDE] as const;

export const POSITION: Declaration<typeof parameters> = {
  parameters,
  isOrdering: true,
  checkTogether(texts) {
    const missing = parameters.filter(({ name }) => !texts.has(name));
    if (missing.length === parameters.length) return [];
    const fault = { code: 'missing_parameter', detail: TOGETHER };
    return missing.map(({ name }) => ({ parameter: name, ...fault }));
  },
  decide(asked) {
    const {
      'position.radius': radius,
      'position.latitude': latitude,
      'position.longitude': longitude,
    } = asked;
    if (radius === undefined || latitude === undefined || longitude === undefined) return null;
    return {
      kind: 'place',
      text: `position=${latitude},${longitude},${radius}`,
      parts: [PLACES_PART],
      order: [{ column: 'distance', descending: false }],
      search: (release, accepts, scratch) =>
        findAround(release.table(PLACES_PART), { latitude, longitude, radius }, accepts, scratch),
    };
  },
};
