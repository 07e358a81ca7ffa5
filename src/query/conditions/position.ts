/** `position.radius`, `position.latitude` and `position.longitude`: the stores around a position, which `find-places.ts` finds. */
import { PLACES_PART } from '../../snapshot/place-table.ts';
import { findAround } from '../find-places.ts';
import { addFault, type Declaration, numberBetween, parameter } from '../parameters.ts';

/** Kilometres. */
const MAX_RADIUS = 50;

const TOGETHER = 'Latitude, longitude and radius of a position are given together.';

const shape = {
  'position.radius': parameter(numberBetween(0, MAX_RADIUS), {
    description:
      'Search radius in km, inclusive; 0 finds what lies at the position itself. Given together with `position.latitude` and `position.longitude`. A store matches when its main location or any rental point lies within the radius; it then has `distance`, and `geo.location` is the nearest of its locations.',
    example: '25',
    usualNames: ['distance', 'within', 'near'],
    usage: TOGETHER,
  }),
  'position.latitude': parameter(numberBetween(-90, 90), {
    description:
      'Latitude of the search position in degrees, positive to the north. Given together with `position.longitude` and `position.radius`.',
    example: '48.8566',
    usualNames: ['lat', 'position.lat', 'near'],
  }),
  'position.longitude': parameter(numberBetween(-180, 180), {
    description:
      'Longitude of the search position in degrees, positive to the east. Given together with `position.latitude` and `position.radius`.',
    example: '2.3522',
    usualNames: ['lng', 'lon', 'long', 'position.lng', 'position.lon', 'near'],
  }),
};

export const POSITION: Declaration<typeof shape> = {
  shape,
  isOrdering: true,
  check(sent, context) {
    for (const name of Object.keys(shape)) {
      if (!(name in sent)) addFault(context, 'missing_parameter', TOGETHER, name);
    }
  },
  toCondition(values) {
    const {
      'position.radius': radius,
      'position.latitude': latitude,
      'position.longitude': longitude,
    } = values;
    return {
      kind: 'stores',
      keeps: 'few',
      text: `position=${latitude},${longitude},${radius}`,
      parts: [PLACES_PART],
      order: [{ column: 'distance', descending: false }],
      isShown: true,
      open: (release, scratch) =>
        findAround(release.table(PLACES_PART), { latitude, longitude, radius }, scratch),
    };
  },
};
