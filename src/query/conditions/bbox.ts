/** `bbox`: the stores that show a location in an area between two meridians and two parallels. */
import * as z from 'zod';
import type { FaultCode } from '../../parameters/faults.ts';
import { numberWithin } from '../../parameters/number-kinds.ts';
import { type Kind, one, type Refuse } from '../../parameters/parameter.ts';
import { quote } from '../../shown-text.ts';
import { PLACES_PART } from '../../snapshot/place-table.ts';
import { type Area, findInside } from '../find-places.ts';
import type { Declaration } from './condition.ts';
import { POSITION } from './position.ts';

const EXAMPLE = '11.2,46.3,11.5,46.6';
const EXPECTED = `Expected west,south,east,north in degrees, such as ${EXAMPLE}`;

const FAULTS = {
  not_a_bbox: 'The value is not four numbers, west,south,east,north.',
  south_above_north: 'The southern edge of the area is north of the northern one.',
  not_beside_position: 'The parameter cannot be combined with a position.',
} as const;

type Fault = FaultCode | keyof typeof FAULTS;

const LONGITUDE = numberWithin({ least: -180, most: 180 });
const LATITUDE = numberWithin({ least: -90, most: 90 });

const AREA: Kind<Area> = { schema: z.string(), read: readArea };

function readArea(text: string, refuse: Refuse<Fault>): Area | null {
  const explain = (rule: string) => `${EXPECTED}${rule}, got ${quote(text)}.`;
  const codes: string[] = [];
  const numbers = text.split(',').map((each, place) =>
    (place % 2 ? LATITUDE : LONGITUDE).read(each, (code) => {
      codes.push(code);
      return null;
    }),
  );
  if (numbers.length !== 4 || codes.includes('not_a_number')) {
    return refuse('not_a_bbox', () => explain(''));
  }
  if (codes.length > 0) {
    const range = ', longitudes from -180 to 180 and latitudes from -90 to 90';
    return refuse('out_of_range', () => explain(range) + swapHint(text));
  }
  const [west, south, east, north] = numbers as [number, number, number, number];
  if (south <= north) return { west, south, east, north };
  return refuse('south_above_north', () => explain(', south not above north'));
}

/** Where the text is right with longitudes and latitudes swapped. */
function swapHint(text: string): string {
  const [first, second, third, fourth] = text.split(',') as [string, string, string, string];
  const swapped = [second, first, fourth, third].join();
  const isSwapped = Math.max(Math.abs(Number(second)), Math.abs(Number(fourth))) > 90;
  return isSwapped && readArea(swapped, () => null) !== null
    ? ` Longitude comes first: did you mean "${swapped}"?`
    : '';
}

const BBOX_PARAMETER = one(
  {
    name: 'bbox',
    description:
      'Keeps the stores that show a location in this area: `west,south,east,north` in degrees, edges included. Longitudes are within ±180; when west is greater than east, the area crosses the antimeridian. `geo.location` is the main location if it lies in the area, else the first rental point that does. Stores have no `distance`; their order is that of `sort`, `q` or ids. Not together with a position.',
    example: EXAMPLE,
    usualNames: ['bounds', 'area', 'box', 'viewport'],
  },
  AREA,
);

export const BBOX: Declaration<readonly [typeof BBOX_PARAMETER]> = {
  parameters: [BBOX_PARAMETER],
  faults: FAULTS,
  checkTogether(texts) {
    if (!texts.has('bbox') || !POSITION.parameters.some(({ name }) => texts.has(name))) return [];
    const detail = 'Not together with a position.';
    return [{ parameter: 'bbox', code: 'not_beside_position', detail }];
  },
  decide({ bbox: area }) {
    if (area === undefined) return null;
    return {
      kind: 'stores',
      keeps: 'some',
      text: `bbox=${area.west},${area.south},${area.east},${area.north}`,
      parts: [PLACES_PART],
      isShown: true,
      open(release, scratch) {
        const found = findInside(release.table(PLACES_PART), area, scratch);
        return { ...found, test: (store) => found.locations[store] !== 0 };
      },
    };
  },
};
