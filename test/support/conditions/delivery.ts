/** `delivery.latitude`, `delivery.longitude`, `delivery.postalCode` and `delivery.city`. */
import fc from 'fast-check';
import type { DeliveryPoint } from '../../../client/src/index.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Point } from '../../../src/model/location.ts';
import { nearestLocation } from '../oracle/distance.ts';
import { foldedWords } from '../oracle/folded.ts';
import { awkwardCity, awkwardPostcode, decimal } from '../stores/random-values.ts';
import { type Asked, encoded, pointsAbout, type Samples } from './condition-case.ts';

type City = SourceStore['modules']['delivery']['excludedCities'][number];

const code = (text: string) => foldedWords(text).join('');
const town = (text: string) => foldedWords(text).join(' ');

function isThePlace(entry: City, { postalCode: sentCode, city }: DeliveryPoint): boolean {
  const sameCity = city !== undefined && town(city) === town(entry.cityName);
  if (sentCode === undefined || code(entry.zipCode) === '') return sameCity;
  if (code(sentCode) !== code(entry.zipCode)) return false;
  return sameCity || city === undefined || !entry.hasMultiplePostcodeLocalities;
}

/** In whole millimetres. */
const rounded = (kilometres: number) => Math.round(kilometres * 1e6);

/** How a store delivers to a point; null: it does not. */
export function deliveryOf(store: SourceStore, point: DeliveryPoint) {
  const { enabled, ranges, excludedCities } = store.modules.delivery;
  const nearest = nearestLocation(store, { ...point, radius: Number.POSITIVE_INFINITY });
  if (!enabled || nearest === null) return null;
  const { index, distance, millimetres } = nearest;
  const range = ranges.find(
    ({ min, max }) => rounded(min) <= millimetres && millimetres <= rounded(max),
  );
  const isPlace = (entry: City) => isThePlace(entry, point);
  if (range === undefined || excludedCities.some(isPlace)) return null;
  const special = range.specificPrices.find(({ cities }) => cities.some(isPlace));
  return { locationIndex: index, distance, deliveryPrice: (special ?? range).price };
}

const entriesOf = ({ modules: { delivery } }: SourceStore): readonly City[] => [
  ...delivery.excludedCities,
  ...delivery.ranges.flatMap(({ specificPrices }) =>
    specificPrices.flatMap(({ cities }) => cities),
  ),
];

/** A text as it is, as it means the same, and with its words in another order. */
const WRITINGS: readonly ((text: string) => string)[] = [
  String,
  (text) => ` ${text.toUpperCase()}\t`,
  (text) => foldedWords(text).toReversed().join(' '),
];

/** Points at and near a location of a store, and anywhere; towns tend to be the ones of its entries. */
function deliveryPoints(stores: readonly SourceStore[]): fc.Arbitrary<DeliveryPoint> {
  const store = stores.length > 0 ? fc.constantFrom(...stores) : fc.constant(null);
  return fc
    .tuple(store.chain(placesOf), fc.constantFrom(1, 2, 3, 3), fc.constantFrom(...WRITINGS))
    .map(([[{ lat, lng }, { zipCode, cityName: name }], sent, written]) => {
      const isLegal = (text: string) => text.isWellFormed() && foldedWords(text).length > 0;
      return {
        latitude: lat,
        longitude: lng,
        ...(sent & 1 && isLegal(zipCode) ? { postalCode: written(zipCode) } : {}),
        ...(sent & 2 && isLegal(name) ? { city: written(name) } : {}),
      };
    });
}

type Named = Pick<City, 'zipCode' | 'cityName'>;

/** Where something may be delivered to from a store: a point, and what the place there is called. */
function placesOf(store: SourceStore | null): fc.Arbitrary<[Point, Named]> {
  const any = fc.record({ zipCode: awkwardPostcode, cityName: awkwardCity });
  const entries = store ? entriesOf(store) : [];
  const entry = entries.length > 0 ? fc.constantFrom<Named[]>(...entries) : any;
  // The name of one with the code of another.
  const mixed = fc
    .tuple(entry, entry)
    .map(([{ zipCode }, other]) => ({ zipCode, cityName: other.cityName }));
  const points = pointsAbout(store ? [store] : [], decimal(1));
  return fc.tuple(points, fc.oneof(entry, mixed, any));
}

export const DELIVERY_ASKED = {
  delivery: {
    draw: deliveryPoints,
    write: (point) =>
      Object.fromEntries(
        Object.entries(point).map(([name, value]) => [`delivery.${name}`, String(value)]),
      ),
    notBeside: ['after', 'position', 'bbox'],
    keep: (point) => (store) => deliveryOf(store, point),
  } satisfies Asked<DeliveryPoint>,
};

const to = (latitude: string | number, longitude: string | number) =>
  `delivery.latitude=${latitude}&delivery.longitude=${longitude}`;

const TOWN = 'delivery.postalCode=75001&delivery.city=Paris';
const NAMES = ['latitude', 'longitude', 'postalCode', 'city'];
const TOGETHER = 'Latitude and longitude of a delivery point are given together.';
const POINT = `Did you mean "delivery.latitude" or "delivery.longitude"? ${TOGETHER}`;
const CODE = 'Did you mean "delivery.postalCode"?';

export const DELIVERY_SAMPLES: Samples = {
  same: [
    [
      `${to('-0', '1.50')}&delivery.city=Saint-%C3%89tienne&delivery.postalCode=42%20000`,
      `delivery.postalCode=42000&delivery.city=%20SAINT+etienne&sort=distance&${to(0, 1.5)}`,
    ],
  ],
  read: [
    [to('48.5', '-7.25'), 'delivery=48.5,-7.25,,'],
    [
      `${to('90', '-180')}&delivery.postalCode=${encoded(' NL-1012 Ab ')}`,
      'delivery=90,-180,nl1012ab,',
    ],
    [
      `${to('1e-7', '0')}&delivery.city=${encoded('Baden-BADEN (Baden)')}`,
      'delivery=1e-7,0,,baden baden baden',
    ],
    [
      `${to(0, 0)}&delivery.city=${encoded(` ${'é'.repeat(100)} `)}`,
      `delivery=0,0,,${'e'.repeat(100)}`,
    ],
  ],
  refused: [
    ['delivery.latitude=5', 'missing_parameter delivery.longitude'],
    ['delivery.longitude=5', 'missing_parameter delivery.latitude'],
    ...['postalCode=1', 'city=Paris'].map((sent): [string, ...string[]] => [
      `delivery.${sent}`,
      'missing_parameter delivery.latitude',
      'missing_parameter delivery.longitude',
    ]),
    [
      `${to('90.01', '-180.5')}&delivery.city=`,
      'out_of_range delivery.latitude',
      'out_of_range delivery.longitude',
      'empty_value delivery.city',
    ],
    ...[
      'position.latitude=1&position.longitude=1&position.radius=1',
      'bbox=1,2,3,4',
      `after=${'a'.repeat(24)}`,
    ].map((beside): [string, ...string[]] => [
      `${to(1, 2)}&${TOWN}&${beside}`,
      ...NAMES.map((name) => `not_together delivery.${name}`),
    ]),
    [
      'delivery.city=Paris&position.radius=1',
      'missing_parameter position.latitude',
      'missing_parameter position.longitude',
      'missing_parameter delivery.latitude',
      'missing_parameter delivery.longitude',
      'not_together delivery.city',
    ],
  ],
  explained: [
    [
      `${to(1, 2)}&delivery.postalCode=${encoded(' - ')}`,
      'malformed_value delivery.postalCode',
      'Expected letters or digits, such as 75001, got " - ".',
    ],
    [
      `${to(1, 2)}&delivery.city=${encoded('ʼ')}`,
      'malformed_value delivery.city',
      'Expected letters or digits, such as Paris, got "ʼ".',
    ],
    [
      `${to(1, 2)}&delivery.city=${encoded('é'.repeat(101))}`,
      'too_long delivery.city',
      'Expected at most 100 characters, got 101.',
    ],
  ],
  tried: [
    ['deliversTo', POINT],
    ['delivery', POINT],
    ['zip', CODE],
    [
      'postalCode',
      'Did you mean "delivery.postalCode" or "q"? It finds stores by words of their names, towns and postcodes.',
    ],
    ['delivery.lat', 'Did you mean "delivery.latitude"?'],
  ],
};
